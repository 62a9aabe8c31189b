import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ImageSurvey } from '../../campaigns/campaign/image-survey.rules';
import type { QuestionResult, QuestionResultOf } from '../results/question-results.dto';
import type { QuestionResultType } from '../results/result-fields.dto';
import { Content, rendered } from '../../platform/site/html';
import { counted } from './figures.rules';
import { PreferredImages, RankedImages, RatedImages } from './images';
import { Choice } from './choice';
import { Dates, Numbers, PromoterScore, Ranking, Rating, TickedBox } from './measures';
import { Matrix } from './matrix';

/** What a type is called, and how its results are drawn. */
type Drawings = {
  readonly [Type in QuestionResultType]: readonly [
    kind: string,
    draw: (question: QuestionResultOf<Type>, drawn: Drawn) => Content,
  ];
};

interface Drawn {
  imageSurvey: ImageSurvey | null;
  /** Lines that one question has at most. */
  maximum: number;
}

const typed = () => <p>The texts that respondents typed are not on this page.</p>;

const DRAWINGS: Drawings = {
  descriptive: ['Open text', typed],
  text: ['Short text', typed],
  single_choice: ['One option', (each, { maximum }) => <Choice {...each} maximum={maximum} />],
  multiple_choice: [
    'Several options',
    (each, { maximum }) => <Choice {...each} maximum={maximum} />,
  ],
  rating: ['Rating', (each) => <Rating {...each} />],
  nps: ['Net promoter score', (each) => <PromoterScore {...each} />],
  number: ['Number', (each) => <Numbers {...each} />],
  date: ['Date', (each, { maximum }) => <Dates {...each} maximum={maximum} />],
  ranking: ['Options in an order', (each, { maximum }) => <Ranking {...each} maximum={maximum} />],
  matrix: ['Matrix', (each, { maximum }) => <Matrix {...each} maximum={maximum} />],
  checkbox: ['One box', (each) => <TickedBox {...each} />],
  statement: ['Text without an answer', () => ''],
  round_robin: ['Images compared in pairs', (each) => <RankedImages {...each} />],
  binary: ['One of two images', (each) => <PreferredImages {...each} />],
  image_slider: [
    'Images rated on a scale',
    (each, { imageSurvey }) => <RatedImages {...each} scale={imageSurvey?.scale} />,
  ],
};

/** Lines that a page shows, of all questions together: about a megabyte. */
const LINES_MAXIMUM = 2_500;

/**
 * The questions, each with its plots and tables. Each is rendered when it is asked for: all of a
 * long questionnaire together take too long for one turn.
 */
export function* questionSections(
  questions: readonly QuestionResult[],
  imageSurvey: ImageSurvey | null,
): Generator<VNode> {
  const maximum = linesOfEach(questions);
  for (const each of questions) {
    const { question, type, text } = each;
    const [kind, draw] = DRAWINGS[type] as readonly [string, (...given: unknown[]) => Content];
    const section = (
      <section>
        <h3 dir="auto">
          {question}. {text}
        </h3>
        <p class="quiet">
          {kind}
          {'answered' in each && ` · ${counted(each.answered, 'answer')}`}
          {'not_shown' in each &&
            each.not_shown > 0 &&
            ` of ${counted(each.asked, 'respondent')} who were shown it`}
        </p>
        {draw(each, { imageSurvey, maximum })}
      </section>
    );
    yield rendered(renderToString(section));
  }
}

/** How many lines a question has: those of a table, or the cells of a matrix. */
function linesOf(question: QuestionResult): number {
  if (question.type === 'matrix') {
    return question.rows.reduce((sum, { options }) => sum + (options?.length ?? 1), 0);
  }
  if (question.type === 'date') {
    return question.periods.length;
  }
  return 'options' in question ? question.options.length : 0;
}

/** The most lines of one question. What shorter lists leave is shared by the longer ones. */
function linesOfEach(questions: readonly QuestionResult[]): number {
  const lengths = questions.map(linesOf).toSorted((a, b) => a - b);
  let left = LINES_MAXIMUM;
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) {
      return share;
    }
    left -= length;
  }
  return LINES_MAXIMUM;
}
