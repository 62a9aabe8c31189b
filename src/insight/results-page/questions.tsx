import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { QuestionResult, QuestionResultOf } from '../results/question-results.dto';
import type { QuestionResultType } from '../results/result-fields.dto';
import { Content, rendered } from '../../platform/site/html';
import { counted } from './figures.rules';
import { PreferredImages, RankedImages, RatedImages } from './images';
import { Choice } from './choice';
import { Dates, Numbers, PromoterScore, Ranking, Rating, TickedBox } from './measures';
import { Matrix } from './matrix';
import { rowChoices } from './cross-tables.rules';
import type { Drawn } from './drawn.types';
import { linesOfEach } from './lines.rules';
import { TextList, textsOf } from './texts';
import { anchorOf, linkTo, View } from './view.rules';

/** What a type is called, and how its results are drawn. */
type Drawings = {
  readonly [Type in QuestionResultType]: readonly [
    kind: string,
    draw: (question: QuestionResultOf<Type>, drawn: Drawn) => Content,
  ];
};

const typed = (
  { question, answered }: QuestionResultOf<'text' | 'descriptive'>,
  { texts }: Drawn,
) => <TextList texts={textsOf(texts, question, 'value')} all={answered} />;

const DRAWINGS: Drawings = {
  descriptive: ['Open text', typed],
  text: ['Short text', typed],
  single_choice: ['One option', (each, drawn) => <Choice {...each} {...drawn} />],
  multiple_choice: ['Several options', (each, drawn) => <Choice {...each} {...drawn} />],
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

/**
 * The questions, each with its plots and tables. Each is rendered when it is asked for: all of a
 * long questionnaire together take too long for one turn.
 */
export function* questionSections(
  questions: readonly QuestionResult[],
  { hidden, ...shown }: Omit<Drawn, 'maximum'> & { hidden: ReadonlySet<number> },
): Generator<VNode> {
  const drawn = { ...shown, maximum: linesOfEach(questions) };
  for (const each of questions) {
    const isHidden = hidden.has(each.question);
    yield rendered(renderToString(<QuestionSection {...{ each, drawn, isHidden }} />));
  }
}

interface SectionProps {
  each: QuestionResult;
  drawn: Drawn;
  /** Whether too few answered to show it. */
  isHidden: boolean;
}

function QuestionSection({ each, drawn, isHidden }: SectionProps) {
  const { question, type, text } = each;
  const [kind, draw] = DRAWINGS[type] as readonly [string, (...given: unknown[]) => Content];
  const anchor = anchorOf(each);
  return (
    <section id={anchor}>
      <h3 dir="auto">
        {question}. {text}{' '}
        <a class="anchor" href={`#${anchor}`} aria-label={`Link to question ${question}`}>
          #
        </a>
      </h3>
      <p class="quiet">
        {kind}
        {!isHidden && basesOf(each)}
        {drawn.hasTables && <TableLink each={each} view={drawn.view} />}
      </p>
      {isHidden ? (
        <p class="nothing">Too few of this cohort answered to show it alone.</p>
      ) : (
        draw(each, drawn)
      )}
    </section>
  );
}

/** A link to the tables of a question, if it can have any. */
function TableLink({ each, view }: { each: QuestionResult; view: View }) {
  const [first] = rowChoices(each);
  if (first === undefined) {
    return null;
  }
  const { value: rows, row } = first;
  const table = { rows, ...(row === undefined ? {} : { row }), columns: 'cohort' };
  return (
    <>
      {' · '}
      <a href={linkTo(view, { cohort: null, table })}>Compare groups</a>
    </>
  );
}

/** How many answered, and how many were asked if they are not all. */
function basesOf(each: QuestionResult): Content {
  return (
    <>
      {'answered' in each && ` · ${counted(each.answered, 'answer')}`}
      {'not_shown' in each &&
        each.not_shown > 0 &&
        ` of ${counted(each.asked, 'respondent')} who were shown it`}
    </>
  );
}

/** Questions that are found without a list of them. */
const LISTED_FROM = 6;

/** Links to all questions of a long page. */
export function Contents({ questions }: { questions: readonly QuestionResult[] }) {
  return questions.length < LISTED_FROM ? null : (
    <details class="contents">
      <summary>{counted(questions.length, 'question')}</summary>
      <ol>
        {questions.map((each) => (
          <li>
            <a href={`#${anchorOf(each)}`} dir="auto">
              {each.text}
            </a>
          </li>
        ))}
      </ol>
    </details>
  );
}
