import { Big } from 'big.js';
import { scaleLinear } from 'd3-scale';
import { DEFAULT_SCALE, Scale } from '../campaign/image-survey.rules';
import type { ImageResultDto, QuestionResultDto } from '../results/question-results.dto';
import { Content, html, Html } from '../site/html';
import { axisEnd, barPlot } from './bar-plot';
import { columnPlot } from './column-plot';
import { between, counted, decimal, NONE, strength } from './figures.rules';
import { NOTHING, shareParts } from './shares';
import { table } from './table';

const TICKS = 6;

type Image = Pick<ImageResultDto, 'image' | 'url' | 'label'>;

const nameOf = ({ image, label }: Image): string => label ?? `Image ${image}`;

/** The picture with its name beside it. Its host learns nothing of the page. */
const pictured = (image: Image): Html =>
  html`<img
      src="${image.url}"
      alt=""
      width="64"
      height="64"
      loading="lazy"
      referrerpolicy="no-referrer"
    />${nameOf(image)}`;

const linked = (image: Image): Html =>
  html`<a href="${image.url}" rel="noreferrer">${nameOf(image)}</a>`;

/** `binary`: how many preferred each image. */
export function preferredImages({ images = [] }: QuestionResultDto): Html {
  return shareParts({
    name: 'The share of each image',
    head: ['Image', 'Preferred by'],
    shares: images.map(({ count = 0, share = null, interval, ...image }) => ({
      name: linked(image),
      label: pictured(image),
      count,
      share,
      interval: interval ?? [0, 1],
    })),
  });
}

/** `round_robin`: the images in the order of their strengths, and who won against whom. */
export function rankedImages({ images = [], pairs = [], consistency }: QuestionResultDto): Html {
  const ranked = images.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.image - b.image);
  const isEmpty = ranked.every((each) => each.strength == null);
  const end = axisEnd(ranked.map(({ interval }) => interval?.[1] ?? 0));
  const winsOf = new Map(
    pairs.flatMap(({ images: [a, b], wins: [of = 0, against = 0] }): [string, number][] => [
      [`${a} ${b}`, of],
      [`${b} ${a}`, against],
    ]),
  );
  return html`${
    isEmpty
      ? NOTHING
      : barPlot({
          name: 'The strength of each image, the strongest first, with 95% intervals; the table has the numbers',
          bars: ranked.map(({ strength: value = null, interval, ...image }) => ({
            label: pictured(image),
            value,
            interval,
            text: strength(value),
          })),
          domain: [0, end],
          format: decimal,
        })
  }
  ${table(
    ['Image', 'Rank', 'Strength', '95% interval', 'Times preferred'],
    ranked.map(({ rank, strength: value, interval, wins = 0, ...image }) => [
      linked(image),
      rank ?? NONE,
      strength(value),
      between(interval, strength),
      decimal(wins),
    ]),
  )}
  ${
    consistency != null &&
    html`<p>
      Consistency: ${decimal(consistency)}. At 1, no respondent preferred A to B, B to C, and C to
      A.
    </p>`
  }
  ${table(
    ['Preferred to', ...images.map(nameOf)],
    images.map((image) => [
      nameOf(image),
      ...images.map((other) =>
        other === image ? NONE : decimal(winsOf.get(`${image.image} ${other.image}`) ?? 0),
      ),
    ]),
    { summary: 'How often the image of a row was preferred to that of a column', isFolded: true },
  )}`;
}

/** `image_slider`: the means of all images, and how often each rating was given. */
export function ratedImages(
  { images = [] }: QuestionResultDto,
  scale: Scale = DEFAULT_SCALE,
): Html {
  const { min, max, min_label: low, max_label: high } = scale;
  return html`<p class="quiet" dir="auto">
      From ${decimal(min)}${low !== undefined && ` (${low})`} to
      ${decimal(max)}${high !== undefined && ` (${high})`}.
    </p>
    ${
      images.every(({ mean }) => mean == null)
        ? NOTHING
        : barPlot({
            name: 'The mean rating of each image, with 95% intervals; the table has the numbers',
            bars: images.map(({ mean = null, interval, ...image }) => ({
              label: pictured(image),
              value: mean,
              interval,
              text: decimal(mean),
            })),
            domain: [min, max],
            format: decimal,
            dots: true,
          })
    }
    ${table(
      ['Image', 'Ratings', 'Mean', '95% interval', 'Standard deviation'],
      images.map(({ n = 0, mean, interval, standard_deviation, ...image }) => [
        linked(image),
        decimal(n),
        decimal(mean),
        between(interval, decimal),
        decimal(standard_deviation),
      ]),
    )}
    ${images.map((image) => ratings(image, scale))}`;
}

/** How often each rating of an image was given. */
function ratings(image: ImageResultDto, { min, max, step }: Scale): Content {
  const { n = 0, mean, interval = null, histogram = [] } = image;
  if (n === 0 || mean == null) {
    return undefined;
  }
  const [first, second] = histogram;
  const width = new Big(second?.value ?? step).minus(first && second ? first.value : 0);
  const half = step / 2;
  // The last step can be shorter than the others.
  const bars = histogram.map(({ value, count }) => ({
    value,
    last: Math.min(width.plus(value).minus(step).toNumber(), max),
    count,
  }));
  const name = nameOf(image);
  return html`<h4 dir="auto">${name}</h4>
    ${columnPlot({
      name: `How often each rating was given: ${counted(n, 'rating')}, with a mean of ${decimal(mean)}; the table has the numbers`,
      columns: bars.map(({ value, last, count }) => ({
        from: value - half,
        to: last + half,
        count,
      })),
      domain: [min - half, max + half],
      ticks: scaleLinear()
        .domain([min, max])
        .ticks(TICKS)
        .map((at) => ({ at, text: decimal(at) })),
      mark: { value: mean, interval },
    })}
    ${table(
      ['Rating', 'Given by'],
      bars.map(({ value, last, count }) => [
        last > value ? `${decimal(value)} to ${decimal(last)}` : decimal(value),
        decimal(count),
      ]),
      { isFolded: true },
    )}`;
}
