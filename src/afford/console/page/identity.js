// As whom one looks: nobody, or an account with some roles.

import { identity, lookAs, nameOf, overview } from "./store.js";
import { html } from "./view.js";

export function IdentityBar() {
  const { kind, id, roles, claims } = identity.value;
  const { roles: declared, claims: named, is_developer: isDeveloper } = overview.value;
  const toggle = (role, on) => lookAs({ roles: on ? [...roles, role].sort() : roles.filter((held) => held !== role) });
  return html`<form class="identity" aria-label="As whom to look" onSubmit=${(event) => event.preventDefault()}>
    <label for="who">Look as</label>
    <select id="who" value=${kind} onInput=${(event) => lookAs({ kind: event.currentTarget.value })}>
      <option value="anonymous">anonymous</option>
      <option value="account">account</option>
      ${!isDeveloper && html`<option value="self">yourself</option>`}
    </select>
    ${
      kind === "account" &&
      html`
      <input
        aria-label="Id of the account"
        class="narrow"
        placeholder="somebody"
        autocomplete="off"
        spellcheck="false"
        value=${id}
        onChange=${(event) => lookAs({ id: event.currentTarget.value.trim() })}
      />
      ${
        declared.length > 0 &&
        html`<fieldset class="chips">
        <legend class="unseen">Roles</legend>
        ${declared.map(
          (role) => html`<label class="chip" key=${role}>
            <input
              type="checkbox"
              checked=${roles.includes(role)}
              onInput=${(event) => toggle(role, event.currentTarget.checked)}
            />
            <span>
            ${role}
            </span>
          </label>`,
        )}
      </fieldset>`
      }
      ${
        named.length > 0 &&
        html`<input aria-label=${`Claims as a JSON object, such as ${named.join(", ")}`} placeholder=${`{"${named[0]}": …}`} autocomplete="off" spellcheck="false" value=${claims} onChange=${(event) => lookAs({ claims: event.currentTarget.value.trim() })} />`
      }
    `
    }
    <span class="unseen" role="status">Looking as ${nameOf(identity.value)}</span>
  </form>`;
}
