import type { Answer } from './client';

/** Expects an error in the standard envelope, with no other members. */
export function expectError(
  { status, headers, body }: Answer,
  expectedStatus: number,
  code: string,
  details: unknown = [],
): void {
  expect({ status, body }).toEqual({
    status: expectedStatus,
    body: {
      success: false,
      message: expect.stringMatching(/./),
      data: null,
      error: { code, request_id: headers.get('x-request-id'), details },
    },
  });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

/** Expects exactly these fields to be reported as wrong, each as `field: code`. */
export function expectInvalid(answer: Answer, wrong: Readonly<Record<string, string>>): void {
  expectError(answer, 400, 'validation_failed', expect.any(Array));
  const found = answer.body.error!.details.map(({ field, code }) => [field, code]);
  expect(found.toSorted()).toEqual(Object.entries(wrong).toSorted());
  for (const { field, message } of answer.body.error!.details) {
    expect(message.startsWith(field)).toBe(true);
    expect(message).toMatch(/ (must|is|has) .+\.$/);
  }
}
