// What every part of the page is written with: Preact, htm and signals, under one name.
// Texts of an application reach the document as text nodes alone; nothing here writes markup.

import htm from "./vendor/htm.js";
import { h } from "./vendor/preact.js";

export { Fragment, render } from "./vendor/preact.js";
export { useEffect, useId, useLayoutEffect, useRef, useState } from "./vendor/hooks.js";
export { batch, computed, effect, signal, useComputed, useSignal } from "./vendor/signals.js";

export const html = htm.bind(h);
