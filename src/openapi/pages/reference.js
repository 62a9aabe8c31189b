/* global Redoc */

/*
 * The reference: Redoc with the service's own document, and samples that call this service.
 */

const PLACEHOLDER = 'https://campaigns.example.com';

async function show() {
  const response = await fetch('/reference/openapi.json');
  const text = (await response.text()).replaceAll(PLACEHOLDER, location.origin);
  Redoc.init(
    JSON.parse(text),
    {
      downloadUrls: [{ title: 'OpenAPI document', url: '/openapi.json' }],
      expandResponses: '200',
      requiredPropsFirst: true,
      // The pattern of nearly every text: anything but blanks.
      hideSchemaPattern: true,
      payloadSampleIdx: 3,
      jsonSampleExpandLevel: 4,
      minCharacterLengthToInitSearch: 2,
      theme: {
        colors: {
          primary: { main: '#1c64b8' },
          success: { main: '#18794e' },
          error: { main: '#b3261e' },
        },
        typography: {
          fontFamily: 'system-ui, sans-serif',
          headings: { fontFamily: 'system-ui, sans-serif', fontWeight: '600' },
          code: { fontFamily: 'ui-monospace, monospace', color: '#9d174d' },
          links: { color: '#1f5fad' },
        },
        sidebar: { width: '280px' },
      },
    },
    document.getElementById('reference'),
  );
}

show();
