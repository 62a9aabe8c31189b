import type { ImageSurvey } from '../../campaigns/campaign/image-survey.rules';
import { bradleyTerry } from '../../platform/statistics/bradley-terry.rules';
import { consistency } from '../../platform/statistics/consistency.rules';
import { rounded, roundedInterval } from '../../platform/statistics/interval.rules';
import type { ImageFieldsDto, RatedImageDto, RoundRobinResultDto } from './image-results.dto';
import type { QuestionResult } from './question-results.dto';
import { ratingSteps } from './rating-steps.rules';
import type { CampaignResults } from './results.types';
import { meanOf, shareIn } from './shares.rules';
import type { Place, Tallied } from './tally.rules';

/** The result of the question that an image survey asks. */
export function imageResult(
  { format, tallied }: CampaignResults,
  imageSurvey: ImageSurvey,
): QuestionResult {
  const result = { question: 1, text: imageSurvey.question };
  switch (format) {
    case 'image_slider':
      return { ...result, type: format, images: ratedImages(imageSurvey, tallied) };
    case 'round_robin':
      return { ...result, type: format, ...comparedImages(imageSurvey, tallied) };
    default: {
      const share = shareIn(tallied, ['answered']);
      return {
        ...result,
        type: 'binary',
        answered: tallied.count('answered'),
        effective_size: rounded(tallied.size('answered')),
        images: numbered(imageSurvey).map((image) => ({
          ...image,
          ...share(['preferred', '', image.image]),
        })),
      };
    }
  }
}

const numbered = ({ images }: ImageSurvey): ImageFieldsDto[] =>
  images.map((image, index) => ({ image: index + 1, ...image }));

function ratedImages(imageSurvey: ImageSurvey, tallied: Tallied): RatedImageDto[] {
  const { scale } = imageSurvey;
  if (scale === undefined) {
    throw new Error('a slider without a scale');
  }
  const steps = ratingSteps(scale);
  return numbered(imageSurvey).map((image) => {
    const answered: Place = ['answered', image.image];
    const moments = tallied.moments(answered, 'rating', image.image);
    return {
      ...image,
      n: tallied.count(...answered),
      effective_size: rounded(tallied.size(...answered)),
      ...meanOf(moments, { ...tallied.sample(...answered), scale: [scale.min, scale.max] }),
      histogram: steps.map((value) => ({
        value,
        count: tallied.count('rated', image.image, value),
      })),
    };
  });
}

function comparedImages(
  imageSurvey: ImageSurvey,
  tallied: Tallied,
): Omit<RoundRobinResultDto, 'question' | 'text' | 'type'> {
  const images = numbered(imageSurvey);
  const positions = images.map(({ image }) => image);
  const square = (read: (a: number, b: number) => number) =>
    positions.map((a) => positions.map((b) => read(a, b)));
  const counted = tallied.strata('counted').filter(({ count, weight }) => count * weight > 0);
  const strata = counted.map(({ cohort, weight, count }) => ({
    weight,
    responses: count,
    wins: square((a, b) => tallied.of('win', a, b)[cohort - 1] ?? 0),
    products: square((a, b) => tallied.of('product', a, b)[cohort - 1] ?? 0),
  }));
  const strengths = strata.length === 0 ? [] : bradleyTerry(strata);
  const wins = square((a, b) => tallied.count('win', a, b));
  return {
    answered: tallied.count('counted'),
    effective_size: rounded(tallied.size('counted')),
    consistency: consistencyOf(strata, images.length),
    images: images.map((image, index) => {
      const found = strengths[index];
      return {
        ...image,
        wins: (wins[index] ?? []).reduce((sum, each) => sum + each, 0),
        strength: found === undefined ? null : rounded(found.strength),
        interval: found?.interval ? roundedInterval(found.interval) : null,
        rank: found === undefined ? null : found.rank,
      };
    }),
    pairs: positions.flatMap((a) =>
      positions.slice(a).map((b) => ({
        images: [a, b],
        wins: [wins[a - 1]?.[b - 1] ?? 0, wins[b - 1]?.[a - 1] ?? 0],
      })),
    ),
  };
}

/**
 * Kendall's coefficient from sums over responses: the squares of the wins of one respondent are the
 * products of the wins of an image with themselves.
 */
function consistencyOf(
  strata: readonly { weight: number; responses: number; products: number[][] }[],
  images: number,
): number | null {
  const most = (images * (images - 1) * (2 * images - 1)) / 12;
  let [circular, responses] = [0, 0];
  for (const { weight, responses: count, products } of strata) {
    const squares = products.reduce((sum, row, index) => sum + (row[index] ?? 0), 0);
    circular += weight * (count * most - squares / 2);
    responses += weight * count;
  }
  const found = consistency(circular, responses, images);
  return found && rounded(found);
}
