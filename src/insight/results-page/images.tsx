import { DEFAULT_SCALE, Scale } from '../../campaigns/campaign/image-survey.rules';
import type { ImageFieldsDto } from '../results/image-results.dto';
import type { QuestionResultOf } from '../results/question-results.dto';
import { axisEnd, BarPlot } from './bar-plot';
import { between, decimal, mean, NONE, strength } from './figures.rules';
import { Histogram } from './histogram';
import { namedRatings } from './ratings.rules';
import { Nothing, Shares } from './shares';
import { Table } from './table';

type Image = ImageFieldsDto;

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
export function PreferredImages({ images, ties, skips }: QuestionResultOf<'binary'>) {
  return (
    <>
      <Shares
        name="The share of each image"
        head={['Image', 'Preferred by']}
        shares={[
          ...images.map(({ count, share, interval, ...image }) => ({
            name: linked(image),
            label: pictured(image),
            count,
            share,
            interval,
          })),
          ...(ties === undefined ? [] : [{ name: 'Both alike', label: 'Both alike', ...ties }]),
        ]}
      />
      {skips !== undefined && <p>Skipped by {decimal(skips)}, who are not in the shares.</p>}
    </>
  );
}

/** `round_robin`: the images in the order of their strengths, and who won against whom. */
export function RankedImages({ images, pairs, consistency }: QuestionResultOf<'round_robin'>) {
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
          bars={ranked.map(({ strength: value, interval, ...image }) => ({
            label: pictured(image),
            value,
            interval,
            text: strength(value),
          }))}
          domain={[0, end]}
        />
      )}
      <Table
        head={['Image', 'Rank', 'Strength', '95% interval', 'Times preferred']}
        rows={ranked.map(({ rank, strength: value, interval, wins, ...image }) => [
          linked(image),
          rank ?? NONE,
          strength(value),
          between(interval, strength),
          decimal(wins),
        ])}
        isFolded
      />
      {consistency != null && (
        <p>
          Consistency: {mean(consistency)}. At 1, no respondent preferred A to B, B to C, and C to
          A.
        </p>
      )}
      <Table
        head={['Preferred to image', ...images.map(({ image }) => image)]}
        rows={images.map((image) => [
          image.label === undefined ? nameOf(image) : `${image.image}: ${image.label}`,
          ...images.map((other) =>
            other === image ? NONE : decimal(winsOf.get(`${image.image} ${other.image}`) ?? 0),
          ),
        ])}
        summary="How often the image of a row was preferred to that of a column"
        isFolded
      />
      <Undecided name="Ties, half a preference for both" counts={pairs.map(({ ties }) => ties)} />
      <Undecided
        name="Skipped pairs, not in the strengths"
        counts={pairs.map(({ skips }) => skips)}
      />
    </>
  );
}

/** How many pairs were left undecided; nothing if the survey does not allow it. */
function Undecided({ name, counts }: { name: string; counts: (number | undefined)[] }) {
  const allowed = counts.filter((count) => count !== undefined);
  return allowed.length === 0 ? null : (
    <p>
      {name}: {decimal(allowed.reduce((sum, count) => sum + count, 0))}
    </p>
  );
}

/** `image_slider`: the means of all images, and how often each rating was given, on one scale. */
export function RatedImages({
  images,
  scale = DEFAULT_SCALE,
}: QuestionResultOf<'image_slider'> & { scale?: Scale }) {
  const { min, max, min_label: low, max_label: high } = scale;
  const ratings = images[0]?.histogram.map(({ value }) => value) ?? [];
  const most = Math.max(1, ...images.flatMap(({ histogram }) => histogram.map(countOf)));
  const end = (value: number, label?: string) =>
    label === undefined ? decimal(value) : `${decimal(value)} (${label})`;
  return (
    <>
      <p class="quiet" dir="auto">
        From {end(min, low)} to {end(max, high)}.
      </p>
      {images.every((image) => image.mean === null) ? (
        <Nothing />
      ) : (
        <BarPlot
          name="The mean rating of each image, with 95% intervals; the table has the numbers"
          bars={images.map(({ mean: value, interval, ...image }) => ({
            label: pictured(image),
            value,
            interval,
            text: mean(value),
          }))}
          domain={[min, max]}
          ticks={namedRatings(ratings)}
          dots
        />
      )}
      <Table
        head={['Image', 'Ratings', 'Mean', '95% interval', 'Standard deviation']}
        rows={images.map(({ n, mean: value, interval, standard_deviation, ...image }) => [
          linked(image),
          decimal(n),
          mean(value),
          between(interval, mean),
          mean(standard_deviation),
        ])}
        isFolded
      />
      {images.map((image) => (
        <Histogram {...image} name={nameOf(image)} scale={scale} most={most} />
      ))}
    </>
  );
}

const countOf = ({ count }: { count: number }) => count;
