import { Big } from 'big.js';
import { scaleLinear } from 'd3-scale';
import { DEFAULT_SCALE, Scale } from '../../campaigns/campaign/image-survey.rules';
import type { ImageResultDto, QuestionResultDto } from '../results/question-results.dto';
import { axisEnd, BarPlot } from './bar-plot';
import { ColumnPlot } from './column-plot';
import { between, counted, decimal, NONE, strength } from './figures.rules';
import { Nothing, Shares } from './shares';
import { Table } from './table';

const TICKS = 6;

type Image = Pick<ImageResultDto, 'image' | 'url' | 'label'>;

const nameOf = ({ image, label }: Image): string => label ?? `Image ${image}`;

/** The picture with its name beside it. Its host learns nothing of the page. */
const pictured = (image: Image) => (
  <>
    <img
      src={image.url}
      alt=""
      width="64"
      height="64"
      loading="lazy"
      referrerpolicy="no-referrer"
    />
    {nameOf(image)}
  </>
);

const linked = (image: Image) => (
  <a href={image.url} rel="noreferrer">
    {nameOf(image)}
  </a>
);

/** `binary`: how many preferred each image. */
export function PreferredImages({ images = [] }: QuestionResultDto) {
  return (
    <Shares
      name="The share of each image"
      head={['Image', 'Preferred by']}
      shares={images.map(({ count = 0, share = null, interval, ...image }) => ({
        name: linked(image),
        label: pictured(image),
        count,
        share,
        interval: interval ?? [0, 1],
      }))}
    />
  );
}

/** `round_robin`: the images in the order of their strengths, and who won against whom. */
export function RankedImages({ images = [], pairs = [], consistency }: QuestionResultDto) {
  const ranked = images.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.image - b.image);
  const end = axisEnd(ranked.map(({ interval }) => interval?.[1] ?? 0));
  const winsOf = new Map(
    pairs.flatMap(({ images: [a, b], wins: [of = 0, against = 0] }): [string, number][] => [
      [`${a} ${b}`, of],
      [`${b} ${a}`, against],
    ]),
  );
  return (
    <>
      {ranked.every((each) => each.strength == null) ? (
        <Nothing />
      ) : (
        <BarPlot
          name="The strength of each image, the strongest first, with 95% intervals; the table has the numbers"
          bars={ranked.map(({ strength: value = null, interval, ...image }) => ({
            label: pictured(image),
            value,
            interval,
            text: strength(value),
          }))}
          domain={[0, end]}
          format={decimal}
        />
      )}
      <Table
        head={['Image', 'Rank', 'Strength', '95% interval', 'Times preferred']}
        rows={ranked.map(({ rank, strength: value, interval, wins = 0, ...image }) => [
          linked(image),
          rank ?? NONE,
          strength(value),
          between(interval, strength),
          decimal(wins),
        ])}
      />
      {consistency != null && (
        <p>
          Consistency: {decimal(consistency)}. At 1, no respondent preferred A to B, B to C, and C
          to A.
        </p>
      )}
      <Table
        head={['Preferred to', ...images.map(nameOf)]}
        rows={images.map((image) => [
          nameOf(image),
          ...images.map((other) =>
            other === image ? NONE : decimal(winsOf.get(`${image.image} ${other.image}`) ?? 0),
          ),
        ])}
        summary="How often the image of a row was preferred to that of a column"
        isFolded
      />
    </>
  );
}

/** `image_slider`: the means of all images, and how often each rating was given. */
export function RatedImages({
  images = [],
  scale = DEFAULT_SCALE,
}: QuestionResultDto & { scale?: Scale }) {
  const { min, max, min_label: low, max_label: high } = scale;
  const end = (value: number, label?: string) =>
    label === undefined ? decimal(value) : `${decimal(value)} (${label})`;
  return (
    <>
      <p class="quiet" dir="auto">
        From {end(min, low)} to {end(max, high)}.
      </p>
      {images.every(({ mean }) => mean == null) ? (
        <Nothing />
      ) : (
        <BarPlot
          name="The mean rating of each image, with 95% intervals; the table has the numbers"
          bars={images.map(({ mean = null, interval, ...image }) => ({
            label: pictured(image),
            value: mean,
            interval,
            text: decimal(mean),
          }))}
          domain={[min, max]}
          format={decimal}
          dots
        />
      )}
      <Table
        head={['Image', 'Ratings', 'Mean', '95% interval', 'Standard deviation']}
        rows={images.map(({ n = 0, mean, interval, standard_deviation, ...image }) => [
          linked(image),
          decimal(n),
          decimal(mean),
          between(interval, decimal),
          decimal(standard_deviation),
        ])}
      />
      {images.map((image) => (
        <Ratings image={image} scale={scale} />
      ))}
    </>
  );
}

/** How often each rating of an image was given. */
function Ratings({ image, scale }: { image: ImageResultDto; scale: Scale }) {
  const { n = 0, mean, interval = null, histogram = [] } = image;
  const { min, max, step } = scale;
  if (n === 0 || mean == null) {
    return null;
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
  return (
    <>
      <h4 dir="auto">{nameOf(image)}</h4>
      <ColumnPlot
        name={`How often each rating was given: ${counted(n, 'rating')}, with a mean of ${decimal(mean)}; the table has the numbers`}
        columns={bars.map(({ value, last, count }) => ({
          from: value - half,
          to: last + half,
          count,
        }))}
        domain={[min - half, max + half]}
        ticks={scaleLinear()
          .domain([min, max])
          .ticks(TICKS)
          .map((at) => ({ at, text: decimal(at) }))}
        mark={{ value: mean, interval }}
      />
      <Table
        head={['Rating', 'Given by']}
        rows={bars.map(({ value, last, count }) => [
          last > value ? `${decimal(value)} to ${decimal(last)}` : decimal(value),
          decimal(count),
        ])}
        isFolded
      />
    </>
  );
}
