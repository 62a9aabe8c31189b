/* exported PlainPaths */

/*
 * Completes what Swagger UI leaves out for keyboards and screen readers. Loaded before docs.js.
 */

/** A plugin: the path in an operation's button is no link, because a button contains no links. */
const PlainPaths = ({ React }) => ({
  wrapComponents: {
    DeepLink:
      () =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
});

/** The names of controls that have none, by selector. */
const NAMES = [
  ['#servers', () => 'Server'],
  ['.examples-select-element', () => 'Example'],
  ['.body-param__text', () => 'Request body'],
  ['.close-modal', () => 'Close'],
  ['.parameters select', (select) => select.closest('[data-param-name]').dataset.paramName],
];

function nameControls() {
  for (const [selector, nameOf] of NAMES) {
    for (const control of document.querySelectorAll(`${selector}:not([aria-label])`)) {
      control.setAttribute('aria-label', nameOf(control));
    }
  }
  // Their text is a better name.
  for (const button of document.querySelectorAll('.modal-btn.authorize[aria-label]')) {
    button.removeAttribute('aria-label');
  }
  for (const example of document.querySelectorAll('pre.microlight:not([tabindex])')) {
    example.tabIndex = 0;
  }
}

/** Each field of the dialog takes the focus when it appears, so that the last one has it. */
function focusFirstField({ addedNodes }) {
  for (const node of addedNodes) {
    const dialog = node instanceof Element && node.querySelector('.modal-ux-content');
    if (dialog) {
      dialog.querySelector('input')?.focus({ preventScroll: true });
      dialog.scrollTop = 0;
    }
  }
}

new MutationObserver((mutations) => {
  mutations.forEach(focusFirstField);
  nameControls();
}).observe(document.getElementById('swagger-ui'), { childList: true, subtree: true });
