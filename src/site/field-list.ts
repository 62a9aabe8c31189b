import type { Field, Shape } from './fields';
import { html, Html } from './html';
import { renderInline } from './markdown';

/** The fragment of a field on its page. */
export function fieldId(parent: string, name: string): string {
  return `${parent}.${name}`;
}

function fieldItem(field: Field, parent: string, isSent: boolean): Html {
  const { name, type, required, description, limits, within } = field;
  const id = fieldId(parent, name);
  return html`<li id="${id}">
    <code>${name}</code> <span class="type">${type}</span>${
      isSent && required && html` <span class="required">required</span>`
    }${description !== '' && html`<p>${renderInline(description)}</p>`}${
      limits.length > 0 && html`<p class="limits">${renderInline(sentence(limits))}</p>`
    }${fieldList(within, id, isSent)}
  </li> `;
}

function sentence(parts: readonly string[]): string {
  const text = parts.join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Lists the fields of an object.
 *
 * @param parent the fragment that the fragments of the fields begin with
 * @param isSent whether a client sends them, and must know which are required
 */
export function fieldList({ fields, variants }: Shape, parent: string, isSent = true): Html {
  const variant = ({ name, fields: own }: Shape['variants'][number]) =>
    html` <details>
      <summary>
        If it is a ${name.startsWith('a ') ? name.slice(2) : html`<code>${name}</code>`}
      </summary>
      <ul class="fields">
        ${own.map((field) => fieldItem(field, `${parent}.${name.replaceAll(' ', '-')}`, isSent))}
      </ul>
    </details>`;
  return html`${
    fields.length > 0 &&
    html`<ul class="fields">
      ${fields.map((field) => fieldItem(field, parent, isSent))}
    </ul>`
  }${variants.map(variant)}`;
}
