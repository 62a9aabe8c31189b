import {
  WholeNumberParameter,
  WordsParameter,
} from '../../platform/validation/fields/query.fields';

/** Which responses to count or to export. */
export class CohortsQueryDto {
  /** Only responses of these cohorts, separated by commas. */
  @WordsParameter({ values: ['1', '2', '3', '4', '5'], example: '3,4,5' })
  cohorts?: string;
}

/** Which responses to one version of the questions to count. */
export class VersionQueryDto extends CohortsQueryDto {
  /** A version of the question set, as its history numbers them; by default the current one. */
  @WholeNumberParameter({ minimum: 1, maximum: 2_147_483_647 })
  version?: number;
}
