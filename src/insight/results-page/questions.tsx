import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ImageSurvey } from '../../campaigns/campaign/image-survey.rules';
import type { QuestionResultDto } from '../results/question-results.dto';
import { Content, rendered } from '../../platform/site/html';
import { counted } from './figures.rules';
import { PreferredImages, RankedImages, RatedImages } from './images';
import { Shares } from './shares';

const KINDS: Readonly<Record<QuestionResultDto['type'], string>> = {
  descriptive: 'Open text',
  text: 'Short text',
  single_choice: 'One option',
  multiple_choice: 'Several options',
  rating: 'Rating',
  nps: 'Net promoter score',
  number: 'Number',
  date: 'Date',
  ranking: 'Options in an order',
  matrix: 'Matrix',
  checkbox: 'One box',
  statement: 'Text without an answer',
  round_robin: 'Images compared in pairs',
  binary: 'One of two images',
  image_slider: 'Images rated on a scale',
};

/** Options that a page shows, of all questions together: about a megabyte. */
const OPTIONS_MAXIMUM = 2_500;

/**
 * The questions, each with its plots and tables. Each is rendered when it is asked for: all of a
 * long questionnaire together take too long for one turn.
 */
export function* questionSections(
  questions: readonly QuestionResultDto[],
  imageSurvey: ImageSurvey | null,
): Generator<VNode> {
  const maximum = optionsOfEach(questions);
  for (const each of questions) {
    const { question, type, text, answered } = each;
    const section = (
      <section>
        <h3 dir="auto">
          {question}. {text}
        </h3>
        <p class="quiet">
          {KINDS[type]}
          {answered !== undefined && ` · ${counted(answered, 'answer')}`}
        </p>
        {contentOf(each, imageSurvey, maximum)}
      </section>
    );
    yield rendered(renderToString(section));
  }
}

/** The most options of one question. What shorter lists leave is shared by the longer ones. */
function optionsOfEach(questions: readonly QuestionResultDto[]): number {
  const lengths = questions.map(({ options = [] }) => options.length).toSorted((a, b) => a - b);
  let left = OPTIONS_MAXIMUM;
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) {
      return share;
    }
    left -= length;
  }
  return OPTIONS_MAXIMUM;
}

function contentOf(
  question: QuestionResultDto,
  imageSurvey: ImageSurvey | null,
  optionsMaximum: number,
): Content {
  switch (question.type) {
    case 'text':
    case 'descriptive':
      return <p>The texts that respondents typed are not on this page.</p>;
    case 'binary':
      return <PreferredImages {...question} />;
    case 'round_robin':
      return <RankedImages {...question} />;
    case 'image_slider':
      return <RatedImages {...question} scale={imageSurvey?.scale} />;
    default:
      return <Choice {...question} maximum={optionsMaximum} />;
  }
}

function Choice({ type, options = [], maximum }: QuestionResultDto & { maximum: number }) {
  const isCut = options.length > maximum;
  const shown = isCut ? options.toSorted((a, b) => b.count - a.count).slice(0, maximum) : options;
  return (
    <>
      {isCut && (
        <p class="quiet">
          The {maximum} most frequent of {options.length} options.
        </p>
      )}
      {type === 'multiple_choice' && (
        <p class="quiet">
          Shares of those who answered. They chose as many as they liked, so shares can add up to
          more than 100%.
        </p>
      )}
      <Shares
        name="The share of each option"
        head={['Option', 'Answers']}
        shares={shown.map(({ value: name, ...share }) => ({ name, ...share }))}
      />
    </>
  );
}
