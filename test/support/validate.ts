import { ApiError } from '../../src/platform/protocol/api-error';
import { RequestValidationPipe } from '../../src/platform/validation/validation.pipe';

type Type = new () => object;

const pipe = new RequestValidationPipe();

/** Returns a request body as its handler receives it. */
export function accept(type: Type, body: unknown): Promise<any> {
  return new Promise((resolve) => {
    resolve(pipe.transform(body, { type: 'body', metatype: type }));
  });
}

/** Returns the details of a refused body: `field code` for each wrong field, in order. */
export async function refuse(type: Type, body: unknown): Promise<string[]> {
  const error = await accept(type, body).then(
    () => undefined,
    (reason: unknown) => reason as ApiError,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error!.code).toBe('validation_failed');
  return error!.details.map(({ field, code }) => `${field} ${code}`);
}
