import type { VNode } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import { renderToString } from 'preact-render-to-string';

/** What an element can contain. Text is escaped; `undefined` and `false` are left out. */
export type Content = VNode | string | number | false | undefined | readonly Content[];

/** HTML that is already rendered, as an element. */
export const rendered = (html: string) => jsxTemplate([html]) as VNode;

export const renderPage = (page: VNode): string => `<!doctype html>${renderToString(page)}`;
