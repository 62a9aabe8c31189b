import { ImageSurvey, undecidedIn } from '../../campaigns/campaign/image-survey.rules';
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
        ...(imageSurvey.allow_ties === true ? { ties: share(['preferred', '', 'tie']) } : {}),
        ...(imageSurvey.allow_skips === true
          ? { skips: tallied.count('preferred', '', 'skip') }
          : {}),
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
  const strata = counted.map(({ cohort, weight, count }) => {
    const of = (...place: Place) => tallied.of(...place)[cohort - 1] ?? 0;
    return {
      cohort,
      weight,
      responses: count,
      // A tie is half a preference for both.
      wins: square((a, b) => of('win', a, b) + of('tie', Math.min(a, b), Math.max(a, b)) / 2),
      products: square((a, b) => of('product', a, b)),
    };
  });
  const strengths = strata.length === 0 ? [] : bradleyTerry(strata);
  const wins = square((a, b) => tallied.count('win', a, b));
  return {
    answered: tallied.count('counted'),
    effective_size: rounded(tallied.size('counted')),
    consistency: consistencyOf(
      undecidedIn(imageSurvey).length === 0
        ? strata.map(({ products, ...each }) => ({ ...each, squares: traceOf(products) }))
        : strata.map(({ cohort, weight }) => ({
            weight,
            responses: tallied.of('decided', '', 'responses')[cohort - 1] ?? 0,
            squares: tallied.of('decided', '', 'squares')[cohort - 1] ?? 0,
          })),
      images.length,
    ),
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
        ...(imageSurvey.allow_ties === true ? { ties: tallied.count('tie', a, b) } : {}),
        ...(imageSurvey.allow_skips === true ? { skips: tallied.count('skip', a, b) } : {}),
      })),
    ),
  };
}

/** The sum of the squares of the wins: the products of the wins of each image with themselves. */
const traceOf = (products: readonly (readonly number[])[]) =>
  products.reduce((sum, row, index) => sum + (row[index] ?? 0), 0);

/**
 * Kendall's coefficient from sums over responses that prefer an image in every pair.
 *
 * @param strata `squares`: the sum of the squares of the wins of each image in each response
 */
function consistencyOf(
  strata: readonly { weight: number; responses: number; squares: number }[],
  images: number,
): number | null {
  const most = (images * (images - 1) * (2 * images - 1)) / 12;
  let [circular, responses] = [0, 0];
  for (const { weight, responses: count, squares } of strata) {
    circular += weight * (count * most - squares / 2);
    responses += weight * count;
  }
  const found = consistency(circular, responses, images);
  return found && rounded(found);
}
