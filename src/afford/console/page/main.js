// Starts the page: takes the token out of the address, then draws whatever the address names.

import { takeToken } from "./api.js";
import { Frame } from "./frame.js";
import { start } from "./store.js";
import { html, render } from "./view.js";

takeToken();
start();
render(html`<${Frame} />`, document.getElementById("console"));
