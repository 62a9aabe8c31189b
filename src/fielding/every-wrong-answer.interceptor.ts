import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import type { FastifyRequest } from 'fastify';
import { catchError, Observable } from 'rxjs';
import { ApiError } from '../http/api-error';
import type { Principal } from '../http/principal';
import { MAX_DETAILS } from '../validation/dto-rules';
import { InvalidRequest } from '../validation/validation.pipe';
import { SubmitDto } from './fielding.dto';
import { FieldingService } from './fielding.service';

/** What leaves no answer to check: a wrong identifier, or no list of objects. */
const UNREADABLE = /^(?:|post_id|participation_id|answers(?:\[\d+\])?)$/;

const IN_ANSWER = /^answers\[(\d+)\]/;

/**
 * Adds the answers that do not fit the questions to a refusal of a submission that is wrong in
 * itself, such as by its score, so that a response names every mistake at once.
 */
@Injectable()
export class EveryWrongAnswer implements NestInterceptor {
  constructor(private readonly fielding: FieldingService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { principal, body } = context.switchToHttp().getRequest<FastifyRequest>();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        throw isIncomplete(error) && principal !== undefined
          ? await this.complete(error, principal, body)
          : error;
      }),
    );
  }

  private async complete(
    error: InvalidRequest,
    caller: Principal,
    body: unknown,
  ): Promise<ApiError> {
    const invalid = error.details.flatMap(({ field }) => IN_ANSWER.exec(field)?.[1] ?? []);
    try {
      const submission = plainToInstance(SubmitDto, body);
      const wrong = await this.fielding.findWrong(caller, submission, new Set(invalid.map(Number)));
      return new InvalidRequest([...error.details, ...wrong]);
    } catch (reason) {
      // Without a participation there is nothing else to name.
      if (reason instanceof ApiError) {
        return error;
      }
      throw reason;
    }
  }
}

/** After the maximum number of wrong fields, the others are not checked and can be anything. */
function isIncomplete(error: unknown): error is InvalidRequest {
  return (
    error instanceof InvalidRequest &&
    error.details.length < MAX_DETAILS &&
    !error.details.some(({ field }) => UNREADABLE.test(field))
  );
}
