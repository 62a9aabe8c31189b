import { ResponseInteger, ResponseSequence } from '../openapi/response-fields';

/** A stretch of the log. */
export class CoveredDto {
  /** The first `seq`: one more than `after`. */
  @ResponseSequence()
  from!: number;

  /** The last `seq`, to send as the next `after`; `from - 1` if nothing is covered. */
  @ResponseInteger({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
  to!: number;
}
