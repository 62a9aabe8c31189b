const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
};

/** Tags that a text has; what else stands between such signs is a part of it. */
const TAG =
  /<\/?(?:a|abbr|b|big|blockquote|center|code|dd|div|dl|dt|em|font|h\d|hr|i|img|input|label|li|ol|p|pre|s|small|span|strike|strong|sub|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul)\b[^>]*>/gi;

/** The text of HTML, or a text as it is, with single spaces. */
export function plainText(html: string): string {
  return html
    .replace(/<(script|style)\b[^]*?<\/\1>/gi, ' ')
    .replace(/<(?:br|\/p|\/div|\/li|\/h\d)\b[^>]*>/gi, ' ')
    .replace(TAG, '')
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (whole, decimal, hex, name) => {
      if (decimal !== undefined || hex !== undefined) {
        const code = decimal === undefined ? parseInt(hex as string, 16) : Number(decimal);
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      }
      return ENTITIES[(name as string).toLowerCase()] ?? whole;
    })
    .replace(/[\s\u0000]+/g, ' ')
    .trim();
}
