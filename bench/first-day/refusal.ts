import { randomUUID } from 'node:crypto';
import { ArgumentsHost, Catch, ExceptionFilter, HttpException } from '@nestjs/common';
import type { ValidationError } from 'class-validator';

/** A response that is not a success. */
export class Refusal extends HttpException {
  constructor(
    status: number,
    readonly code: string,
    message: string,
    readonly details: object[] = [],
  ) {
    super(message, status);
  }
}

export function validationFailed(errors: ValidationError[]): Refusal {
  const details = errors.map(({ property, constraints = {} }) => {
    const [code = 'invalid', message = `${property} is not valid`] =
      Object.entries(constraints)[0] ?? [];
    return { field: property, code, message };
  });
  return new Refusal(400, 'validation_failed', details[0]?.message ?? '', details);
}

/** The part of Express's response that is used here. */
interface Response {
  status(code: number): Response;
  json(body: object): void;
}

@Catch()
export class RefusalFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal(500, 'internal_error', 'Something went wrong on our side.');
    if (refusal !== error) {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
    }
    host
      .switchToHttp()
      .getResponse<Response>()
      .status(refusal.getStatus())
      .json({
        success: false,
        message: refusal.message,
        data: null,
        error: { code: refusal.code, request_id: randomUUID(), details: refusal.details },
      });
  }
}
