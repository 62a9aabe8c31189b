import type { Content } from '../../platform/site/html';
import type { ShownColumn, ShownRow, ShownTable } from '../crosstab/suppression.rules';
import type { QuestionResult } from '../results/question-results.dto';
import { Choice, rowChoices } from './cross-tables.rules';
import { decimal, mean, NONE, percent } from './figures.rules';
import { Table as NumberTable } from './table';
import { linkTo, nameOf, Table, View } from './view.rules';

interface Props {
  view: View;
  table: Table;
  questions: readonly QuestionResult[];
  /** What the columns can be about. */
  columns: readonly Choice[];
  /** `null` if the answers are too many for a table. */
  shown: ShownTable | null;
}

/** One question by groups of respondents, and links to the other tables of the question. */
export function CrossTable({ view, table, questions, columns, shown }: Props) {
  const question = questions.find((each) => nameOf(each) === table.rows);
  const rows = question === undefined ? [] : rowChoices(question);
  return (
    <section>
      <h2 dir="auto">
        {question?.question}. {question?.text}
      </h2>
      <p class="choices">
        <a href={linkTo(view, { table: null })}>All answers</a>
      </p>
      {rows.length > 1 && (
        <Choices name="Row" choices={rows} isChosen={({ row }) => row === table.row}>
          {({ row }) => linkTo(view, { table: { ...table, row } })}
        </Choices>
      )}
      <Choices
        name="Compare by"
        choices={columns.filter(({ value }) => value !== table.rows)}
        isChosen={({ value }) => value === table.columns}
      >
        {({ value }) => linkTo(view, { table: { ...table, columns: value } })}
      </Choices>
      {shown === null ? (
        <p class="nothing">These answers are too many for a table.</p>
      ) : (
        <Shown {...shown} />
      )}
    </section>
  );
}

interface ChoicesProps {
  name: string;
  choices: readonly Choice[];
  isChosen: (choice: Choice) => boolean;
  children: (choice: Choice) => string;
}

function Choices({ name, choices, isChosen, children: addressOf }: ChoicesProps) {
  return (
    <nav class="choices" aria-label={name}>
      <span>{name}</span>
      {choices.map((choice) => (
        <a href={addressOf(choice)} dir="auto" aria-current={isChosen(choice) ? 'true' : undefined}>
          {choice.text}
        </a>
      ))}
    </nav>
  );
}

function Shown({ columns, rows }: ShownTable) {
  const isHidden = columns.some(({ answered }) => answered === null) || rows.some(hasHiddenCell);
  const isSmall = columns.some(({ small_base, answered }) => small_base && answered !== null);
  const isLettered = rows.some(({ cells }) => cells.some((cell) => cell?.higher_than?.length));
  return (
    <>
      <NumberTable
        head={['Answer', 'All', ...columns.map(headOf)]}
        rows={[
          ...rows.map(({ value, text, total, cells }) => row(text ?? value, [total, ...cells])),
          ...(columns.some((column) => column.mean !== null)
            ? [['Mean', '', ...columns.map(meanOf)] as const]
            : []),
          ['Answered', '', ...columns.map(baseOf)],
        ]}
        summary="The share and the number of each answer in each group"
      />
      {isLettered && (
        <p class="quiet">A letter names a column whose share or mean is significantly lower.</p>
      )}
      {isSmall && <p class="quiet">* Fewer than 30 answered, so the column is not compared.</p>}
      {isHidden && (
        <p class="quiet">
          {NONE} stands for groups and answers of fewer than 5 respondents, and for others from
          which they could be computed.
        </p>
      )}
    </>
  );
}

const hasHiddenCell = ({ cells }: ShownRow) => cells.includes(null);

const headOf = ({ letter, value, text }: ShownColumn) => `${letter}: ${text ?? value}`;

const baseOf = ({ answered, small_base }: ShownColumn): Content =>
  answered === null ? NONE : `${decimal(answered)}${small_base ? '*' : ''}`;

const meanOf = ({ mean: found }: ShownColumn): Content =>
  found === null ? NONE : <>{withLetters(mean(found.mean), found.higher_than)}</>;

interface Cell {
  count: number;
  share: number | null;
  higher_than?: string[] | null;
}

const row = (name: string, cells: readonly (Cell | null)[]) =>
  [
    name,
    ...cells.map((cell) =>
      cell === null
        ? NONE
        : {
            text: (
              <>
                {withLetters(percent(cell.share), cell.higher_than)}{' '}
                <small>{decimal(cell.count)}</small>
              </>
            ),
            part: cell.share ?? 0,
          },
    ),
  ] as const;

/** A number, and the columns whose number is significantly lower. */
const withLetters = (text: string, letters: readonly string[] | null = null): Content =>
  letters !== null && letters.length > 0 ? [text, ' ', <sup>{letters.join(' ')}</sup>] : text;
