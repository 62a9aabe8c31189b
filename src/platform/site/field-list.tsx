import { Field, fieldId, Shape } from './fields';
import { renderInline } from './markdown';

interface Place {
  /** The fragment that the fragments of the fields begin with. */
  parent: string;
  /** Whether a client sends the fields, and must know which are required. */
  isSent?: boolean;
}

/** Lists the fields of an object, and those of its variants. */
export function FieldList({ fields, variants, parent, isSent = true }: Shape & Place) {
  return (
    <>
      {fields.length > 0 && <Fields fields={fields} parent={parent} isSent={isSent} />}
      {variants.map(({ name, fields: own }) => (
        <details>
          <summary>
            If it is a {name.startsWith('a ') ? name.slice(2) : <code>{name}</code>}
          </summary>
          <Fields fields={own} parent={fieldId(parent, name)} isSent={isSent} />
        </details>
      ))}
    </>
  );
}

function Fields({ fields, parent, isSent }: Place & { fields: readonly Field[] }) {
  return (
    <ul class="fields">
      {fields.map(({ name, type, required, description, limits, within, sameAs }) => (
        <li id={fieldId(parent, name)}>
          <code>{name}</code> <span class="type">{type}</span>
          {isSent && required && (
            <>
              {' '}
              <span class="required">required</span>
            </>
          )}
          {description !== '' && <p>{renderInline(description)}</p>}
          {limits.length > 0 && <p class="limits">{renderInline(sentence(limits))}</p>}
          {sameAs !== undefined && (
            <p class="limits">
              As in <a href={`#${sameAs}`}>{sameAs.split('.').slice(2).join('.')}</a>.
            </p>
          )}
          <FieldList {...within} parent={fieldId(parent, name)} isSent={isSent} />
        </li>
      ))}
    </ul>
  );
}

/** Returns the limits of a field as one sentence, without its full stop. */
export function sentence(parts: readonly string[]): string {
  const text = parts.join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
