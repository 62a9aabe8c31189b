/* global SwaggerUIBundle, PlainPaths */

/*
 * The documentation page: Swagger UI with the service's own document. Content that many operations
 * share is shown once, below them, and examples work unchanged for every visitor.
 */

/** The root of the service, which can be below a path of its host. */
const root = new URL('../', document.currentScript.src);

const examples = JSON.parse(document.body.dataset.examples);

/** Resolves a reference into the components. */
function resolve(spec, node) {
  const path = node.$ref?.slice('#/components/'.length).split('/');
  return path === undefined ? node : path.reduce((part, name) => part[name], spec.components);
}

/** Merges two schemas into one that holds where both do. */
function merge(one, other, key) {
  if (Array.isArray(one) && Array.isArray(other)) {
    return key === 'enum' ? one.filter((each) => other.includes(each)) : [...one, ...other];
  }
  if (typeof one !== 'object' || typeof other !== 'object') {
    return other;
  }
  const shared = Object.keys(one).filter((name) => name in other);
  const merged = shared.map((name) => [name, merge(one[name], other[name], name)]);
  return { ...one, ...other, ...Object.fromEntries(merged) };
}

/** Returns a part of the document with what its references name, except inside themselves. */
function dereference(spec, node, within = []) {
  if (Array.isArray(node)) {
    return node.map((each) => dereference(spec, each, within));
  }
  if (node === null || typeof node !== 'object') {
    return node;
  }
  const { $ref, ...beside } = node;
  if (typeof $ref === 'string') {
    const named = () => dereference(spec, resolve(spec, node), [...within, $ref]);
    return within.includes($ref) ? node : { ...named(), ...beside, $$ref: $ref };
  }
  const parts = Object.entries(node).map(([name, part]) => [name, dereference(spec, part, within)]);
  const { allOf = [], ...rest } = Object.fromEntries(parts);
  return allOf.reduceRight((all, each) => merge({ ...each, $$ref: undefined }, all), rest);
}

/**
 * A plugin: an operation is resolved alone. Swagger UI normalizes the whole document each time, in
 * about a second.
 */
const OwnReferences = {
  fn: {
    resolveSubtree: async (spec, path) => {
      const part = path.reduce((node, name) => node?.[name], spec);
      return { spec: dereference(spec, part), errors: [] };
    },
  },
};

/** Replaces the choice of examples with the example itself if there is only one. */
function withExamples(spec, { examples: named, ...content }) {
  const values = Object.values(named ?? {}).map((each) => resolve(spec, each).value);
  return values.length === 1 ? { ...content, example: values[0] } : { ...content, examples: named };
}

/** Removes from a response what all responses share. */
function shorten(spec, { headers = {}, content, ...response }) {
  const { 'application/json': json } = content;
  if (json === undefined) {
    return { ...response, headers, content };
  }
  const bodies = Object.values(json.examples).map((each) => resolve(spec, each).value);
  // Errors without details differ only in their code, which the description names.
  const isTelling = bodies.some(({ success, error }) => success || error.details.length > 0);
  return {
    ...response,
    ...(headers.ETag === undefined ? {} : { headers: { ETag: headers.ETag } }),
    ...(isTelling ? { content: { 'application/json': withExamples(spec, json) } } : {}),
  };
}

/** Names the codes of an error that many operations share; the table below them explains each. */
function refer({ description }) {
  const codes = [...description.matchAll(/^- (`\w+`):/gm)].map(([, code]) => code);
  return { description: `${codes.join(', ')}: see [the common errors](#common-errors).` };
}

/**
 * Shortens in each operation what many operations share.
 *
 * @returns the descriptions of the shared responses, by status
 */
function simplify(spec) {
  const common = new Map();
  for (const operation of Object.values(spec.paths).flatMap((item) => Object.values(item))) {
    // Swagger UI sends the last one that the visitor has; the first one is meant for the operation.
    operation.security = operation.security.toReversed();
    for (const [status, entry] of Object.entries(operation.responses)) {
      const response = resolve(spec, entry);
      if (response['x-common']) {
        common.set(status, (common.get(status) ?? new Set()).add(response.description));
        operation.responses[status] = refer(response);
      } else {
        operation.responses[status] = shorten(spec, response);
      }
    }
  }
  return new Map([...common].sort(([a], [b]) => a - b));
}

/** Fills the table of the errors that most operations can return. */
function showCommonErrors(common) {
  const rows = document.querySelector('#common-errors tbody');
  for (const [status, descriptions] of common) {
    const lines = new Set([...descriptions].flatMap((each) => each.split('\n')));
    for (const line of lines) {
      const [, code, advice] = /^- `(\w+)`: (.*)$/.exec(line) ?? [];
      if (code !== undefined) {
        const row = rows.insertRow();
        row.insertCell().textContent = status;
        row
          .insertCell()
          .append(Object.assign(document.createElement('code'), { textContent: code }));
        row.insertCell().textContent = advice.replaceAll('`', '');
      }
    }
  }
}

/** Scrolls to the common errors; Swagger UI would open their link in another tab. */
function followOwnLinks() {
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href="#common-errors"]');
    if (link !== null) {
      event.preventDefault();
      document.getElementById('common-errors').scrollIntoView();
    }
  });
}

/** Values of earlier responses, kept beside the credentials. */
const remember = (name, value) => localStorage.setItem(name, value);
const remembered = (name) => localStorage.getItem(name);

/** Returns a value that nobody has used, such as a new address for this visitor. */
function freshValue(example) {
  const unique = crypto.getRandomValues(new Uint32Array(2)).join('').slice(0, 12);
  return example.replace('@', `-${unique}@`);
}

/** The document with the visitor's own values in its examples, so that they show what is sent. */
class PersonalDocument {
  constructor(spec) {
    this.text = JSON.stringify(spec);
    const [method, path] = examples.fresh.operation.split(' ');
    this.fresh = [path, method.toLowerCase()];
    this.update();
  }

  /** Takes the remembered values, and a new one for the field that needs it. */
  update() {
    const latest = Object.entries(examples.latest).map(([name, example]) => [
      example,
      remembered(name) ?? example,
    ]);
    const { field, value } = examples.fresh;
    this.values = [...latest, [value, remembered(field) ?? value]];
    this.freshValues = [...latest, [value, freshValue(value)]];
  }

  /** The pairs of an example and its current value that an operation shows. */
  valuesOf(...operation) {
    return operation.join() === this.fresh.join() ? this.freshValues : this.values;
  }

  get spec() {
    const [path, method] = this.fresh;
    const original = JSON.parse(this.text);
    const spec = JSON.parse(replaceEach(this.text, this.values));
    const renew = (part) => JSON.parse(replaceEach(JSON.stringify(part), this.freshValues));
    spec.paths[path][method] = renew(original.paths[path][method]);
    // The example of its body is in the schema of the body.
    const { schema } = original.paths[path][method].requestBody.content['application/json'];
    const name = schema.$ref.split('/').at(-1);
    spec.components.schemas[name] = renew(original.components.schemas[name]);
    return spec;
  }
}

function replaceEach(text, pairs) {
  return pairs.reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

/** Remembers values of a response, and shows them in the examples and the editors. */
function keepValues(response, personal, ui) {
  const { data } = response.body ?? {};
  // Events, settlements and approvals are received in lists, everything else by itself.
  const { event_id, settlement_id, approval_id } = data?.items?.[0] ?? {};
  const received = { event_id, settlement_id, approval_id, ...data };
  const names = [...Object.keys(examples.latest), examples.fresh.field];
  const kept = names.filter(
    (name) =>
      response.ok && typeof received[name] === 'string' && received[name] !== remembered(name),
  );
  if (kept.length > 0) {
    kept.forEach((name) => remember(name, received[name]));
    const before = operationsOf(personal).map((each) => [each, personal.valuesOf(...each)]);
    personal.update();
    ui.specActions.updateJsonSpec(personal.spec);
    for (const [[path, method], values] of before) {
      const shown = ui.oas3Selectors.requestBodyValue(path, method);
      if (typeof shown === 'string') {
        const now = personal.valuesOf(path, method);
        const pairs = values.map(([, value], index) => [value, now[index][1]]);
        const value = replaceEach(shown, pairs);
        // Each change draws the whole page again.
        if (value !== shown) {
          ui.oas3Actions.setRequestBodyValue({ value, pathMethod: [path, method] });
        }
      }
    }
  }
  return response;
}

function operationsOf({ text }) {
  const { paths } = JSON.parse(text);
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => [path, method]),
  );
}

/** Swagger UI's style sheet has dark colors, but only its own top bar would turn them on. */
function followColorScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', apply);
  apply();
}

async function show() {
  followColorScheme();
  followOwnLinks();
  const response = await fetch(new URL('openapi.json', root));
  const spec = await response.json();
  spec.servers[0].url = root.pathname.replace(/(?<=.)\/$/, '');
  spec.info.description = spec.info.description.replaceAll('](/', `](${root.pathname}`);
  for (const { operation, field, value } of examples.fixed) {
    const [method, path] = operation.split(' ');
    const [body] = Object.values(spec.paths[path][method.toLowerCase()].requestBody.content);
    for (const example of Object.values(body.examples)) {
      example.value[field] = value;
    }
  }
  showCommonErrors(simplify(spec));
  const personal = new PersonalDocument(spec);
  const ui = SwaggerUIBundle({
    dom_id: '#swagger-ui',
    spec: personal.spec,
    plugins: [PlainPaths, OwnReferences],
    deepLinking: true,
    persistAuthorization: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    // The hundred schemas stay folded, because they are no introduction.
    defaultModelsExpandDepth: 0,
    syntaxHighlight: { theme: 'obsidian' },
    responseInterceptor: (received) => keepValues(received, personal, ui),
  });
}

show();
