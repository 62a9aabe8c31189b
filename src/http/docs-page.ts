import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { createOpenApiDocument } from './openapi';

/** Where the documentation page and the OpenAPI document are served. */
export const DOCS_PATH = 'docs';
export const OPENAPI_PATH = 'openapi.json';

/*
 * The next two are sent to the documentation page as text and run there, so they refer to nothing
 * outside themselves. They let an example's identifier stand for the one that was answered on the
 * page last; the browser keeps it where Swagger UI keeps the credentials.
 */

declare const localStorage: {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
};

function useLastIds(request: { url: string; body?: unknown }): unknown {
  for (const [name, example] of [
    ['post_id', 'post_01k9x2v8zdf3xbz0q4v5rk6t7m'],
    ['key_id', 'key_01k9x2v8zdf3xbz0q4v5rk6t7m'],
  ] as const) {
    const last = localStorage.getItem(name) ?? example;
    request.url = request.url.replaceAll(example, last);
    if (typeof request.body === 'string') {
      request.body = request.body.replaceAll(example, last);
    }
  }
  return request;
}

function rememberIds(response: { ok: boolean; body?: unknown }): unknown {
  const { data } = (response.body ?? {}) as { data?: Record<string, unknown> | null };
  for (const name of ['post_id', 'key_id']) {
    const id = data?.[name];
    if (response.ok && typeof id === 'string') {
      localStorage.setItem(name, id);
    }
  }
  return response;
}

/** Darker than Swagger UI's own where those contrast too little with what is behind them. */
const STYLE = `
html:not(.dark-mode) .swagger-ui {
  a.link, .info a { color: #1f5fad; }
  .opblock-summary-method { text-shadow: none; }
  .opblock-get .opblock-summary-method { background: #1c64b8; }
  .opblock-post .opblock-summary-method { background: #18794e; }
  .opblock-put .opblock-summary-method { background: #a05a00; }
  .opblock-patch .opblock-summary-method { background: #0b7570; }
  .btn.authorize, .btn.modal-btn.auth:not(.btn-done) { border-color: #18794e; color: #18794e; }
  .btn.cancel { border-color: #b3261e; color: #b3261e; }
  .btn.execute { background: #1c64b8; border-color: #1c64b8; }
  .info .title small { background: #5c6370; }
  .info .title small.version-stamp { background: #4c6b00; }
  .parameter__in { color: #565656; }
  .download-contents { background: #5c6370; }
}
html.dark-mode .swagger-ui {
  .header-col, .examples-select__section-label { color: #e4e6e6 !important; }
  .btn.cancel { border-color: #ffb3ad !important; color: #ffb3ad !important; }
  .opblock-put .opblock-section-header { background: #5e3826 !important; }
}
`;

/** Serves the documentation page and the document. */
export async function serveDocumentation(app: NestFastifyApplication): Promise<void> {
  const document = await createOpenApiDocument(app);
  SwaggerModule.setup(DOCS_PATH, app, document, {
    jsonDocumentUrl: OPENAPI_PATH,
    raw: ['json'],
    customSiteTitle: 'Campaign Service',
    customCss: STYLE,
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      showExtensions: true,
      // A hundred schemas are no way to begin; they are there to be unfolded.
      defaultModelsExpandDepth: 0,
      syntaxHighlight: { theme: 'obsidian' },
      requestInterceptor: useLastIds,
      responseInterceptor: rememberIds,
    },
  });
}
