import { ArgumentsHost, Catch, ExceptionFilter } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { storedId } from '../../platform/database/identifiers';
import { ApiError } from '../../platform/protocol/api-error';
import { ErrorFilter } from '../../platform/protocol/error.filter';
import { MAX_DETAILS, toInstance } from '../../platform/validation/dto-rules';
import { InvalidBody } from '../../platform/validation/validation.pipe';
import { CampaignOwners } from './campaign-owners.service';
import { SubmitDto } from './fielding.dto';
import { findWrongAnswers } from './participation-steps.service';
import { ParticipationsService } from './participations.service';

/** What leaves no answer to check: a wrong identifier, or no list of objects. */
const UNREADABLE = /^(?:|post_id|participation_id|answers(?:\[\d+\])?)$/;

const IN_ANSWER = /^answers\[(\d+)\]/;

/**
 * Adds the answers that do not fit the questions to a refusal of a submission that is wrong in
 * itself, such as by its score, so that a response names every mistake at once.
 */
@Catch(InvalidBody)
export class AnswerErrorsFilter implements ExceptionFilter {
  private readonly errors = new ErrorFilter();

  constructor(
    private readonly owners: CampaignOwners,
    private readonly participations: ParticipationsService,
  ) {}

  async catch(refusal: InvalidBody, host: ArgumentsHost): Promise<void> {
    this.errors.catch(await this.complete(refusal, host), host);
  }

  /** Returns the refusal with what else is wrong; the error if that cannot be found out. */
  private async complete(refusal: InvalidBody, host: ArgumentsHost): Promise<unknown> {
    const { principal, body } = host.switchToHttp().getRequest<FastifyRequest>();
    if (principal === undefined || !isIncomplete(refusal)) {
      return refusal;
    }
    const invalid = refusal.details.flatMap(({ field }) => IN_ANSWER.exec(field)?.[1] ?? []);
    try {
      const { post_id, participation_id, answers } = toInstance(SubmitDto, body as object);
      const fielded = await this.owners.find(principal, post_id);
      const id = storedId('part', participation_id);
      const found = await this.participations.findPinned(fielded, id);
      const positions = new Set(invalid.map(Number));
      const wrong = found.status === 'open' ? findWrongAnswers(found, answers, positions) : [];
      return new InvalidBody([...refusal.details, ...wrong]);
    } catch (error) {
      // Without a participation there is nothing else to name.
      return error instanceof ApiError ? refusal : error;
    }
  }
}

/** After the maximum number of wrong fields, the others are not checked and can be anything. */
function isIncomplete({ details }: InvalidBody): boolean {
  return details.length < MAX_DETAILS && !details.some(({ field }) => UNREADABLE.test(field));
}
