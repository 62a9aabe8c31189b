import { ApiError } from '../../src/http/api-error';
import { RequestValidationPipe } from '../../src/http/validation.pipe';

type Type = new () => object;

const pipe = new RequestValidationPipe();

/** A request body as its handler would be given it. */
export function accept(type: Type, body: unknown): Promise<any> {
  return new Promise((resolve) => {
    resolve(pipe.transform(body, { type: 'body', metatype: type }));
  });
}

/** What a request body is refused with: `field code` for each wrong field, in order. */
export async function refuse(type: Type, body: unknown): Promise<string[]> {
  const error = await accept(type, body).then(
    () => undefined,
    (reason: unknown) => reason as ApiError,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error!.code).toBe('validation_failed');
  return error!.details.map(({ field, code }) => `${field} ${code}`);
}
