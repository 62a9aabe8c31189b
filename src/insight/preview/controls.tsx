import type { VNode } from 'preact';
import { NPS_SCALE } from '../../campaigns/questions/answer-value.rules';
import { DATE_EXAMPLES } from '../../campaigns/questions/date.rules';
import { identitiesOf, identityOf, textOf } from '../../campaigns/questions/option.rules';
import { ByType, callByType, Question } from '../../campaigns/questions/question.types';
import { normalizeText } from '../../platform/validation/fields/unicode';
import { Choice, Control, describedBy, labelId, ScaleInput } from './inputs';
import { Body, fieldId, Group, isOptional, Single, Title } from './question-parts';
import { fill } from './texts';

/** Draws a question with its control, which holds what the form has. */
export function drawQuestion(question: Question, control: Control): VNode {
  return callByType(CONTROLS, question, control);
}

/** The attributes of the only field of a question. */
const only = (control: Control, hasHint = false) => ({
  id: fieldId(control),
  name: control.fields.name,
  'aria-describedby': describedBy(control, hasHint),
  'aria-invalid': control.errors.length > 0 ? ('true' as const) : undefined,
  autofocus: control.isFocused,
});

const TEXT_FIELDS = {
  none: { type: 'text' },
  email: { type: 'text', inputmode: 'email' },
  url: { type: 'text', inputmode: 'url' },
  integer: { type: 'text', inputmode: 'numeric' },
  time: { type: 'time' },
} as const;

/** There is no field for a year. */
const DATE_FIELDS = {
  day: { type: 'date' },
  month: { type: 'month' },
  year: { type: 'text', inputmode: 'numeric' },
} as const;

const CONTROLS: ByType<[control: Control], VNode> = {
  descriptive: (question, control) => (
    <Single question={question} control={control}>
      <textarea {...only(control)} rows={5} dir="auto">
        {control.fields.text()}
      </textarea>
    </Single>
  ),
  text: (question, control) => (
    <Single question={question} control={control}>
      <input
        {...only(control)}
        {...TEXT_FIELDS[question.format ?? 'none']}
        dir="auto"
        value={control.fields.text()}
      />
    </Single>
  ),
  single_choice: (question, control) => (
    <Group question={question} control={control}>
      <Choice control={control} options={question.options} isOptional={isOptional(question)} />
    </Group>
  ),
  multiple_choice: (question, control) => (
    <Group question={question} control={control}>
      <Choice control={control} options={question.options} isSeveral />
    </Group>
  ),
  rating: (question, control) => (
    <Group question={question} control={control}>
      <ScaleInput
        control={control}
        scale={question.scale}
        display={question.display}
        labelledBy={labelId(control)}
        isOptional={isOptional(question)}
      />
    </Group>
  ),
  nps: (question, control) => (
    <Group question={question} control={control}>
      <ScaleInput
        control={control}
        scale={NPS_SCALE}
        labelledBy={labelId(control)}
        isOptional={isOptional(question)}
      />
    </Group>
  ),
  number: (question, control) => (
    <Single question={question} control={control} hint={question.unit}>
      <input
        {...only(control, question.unit !== undefined)}
        type="text"
        inputmode="decimal"
        class="number"
        value={control.fields.text()}
      />
    </Single>
  ),
  date: (question, control) => {
    const { precision = 'day' } = question;
    const hint = precision === 'day' ? undefined : DATE_EXAMPLES[precision];
    return (
      <Single question={question} control={control} hint={hint}>
        <input
          {...only(control, hint !== undefined)}
          {...DATE_FIELDS[precision]}
          class="number"
          value={control.fields.text()}
        />
      </Single>
    );
  },
  ranking: (question, control) => {
    const { rank_at_most: most, options } = question;
    const { fields, texts } = control;
    const hint = most === undefined ? texts.rank : fill(texts.rankSome, most);
    return (
      <Group question={question} control={control} hint={hint}>
        <ul class="ranking" data-most={most ?? options.length} data-move={texts.move}>
          {identitiesOf(options).map((identity, index) => {
            const part = fields.indexOf(identity);
            return (
              <li>
                <label>
                  <input
                    type="text"
                    inputmode="numeric"
                    class="rank"
                    name={fields.nameOf(part)}
                    value={fields.text(part)}
                    autofocus={control.isFocused && index === 0}
                  />
                  <span dir="auto">{textOf(options[index] ?? identity)}</span>
                </label>
              </li>
            );
          })}
        </ul>
      </Group>
    );
  },
  matrix: (question, control) => {
    const { rows, scale, options = [], several } = question;
    return (
      <Group question={question} control={control}>
        {rows.map((row) => {
          const index = control.fields.indexOf(normalizeText(identityOf(row)));
          const id = `${control.fields.nameOf(index)}-label`;
          return (
            <fieldset class="row">
              <legend id={id} dir="auto">
                {textOf(row)}
              </legend>
              {scale === undefined ? (
                <Choice control={control} options={options} isSeveral={several} part={index} />
              ) : (
                <ScaleInput control={control} scale={scale} part={index} labelledBy={id} />
              )}
            </fieldset>
          );
        })}
      </Group>
    );
  },
  checkbox: (question, control) => (
    <div class="question" id={control.fields.name}>
      <Body control={control}>
        <label class="option">
          <input
            {...only(control)}
            type="checkbox"
            value="true"
            checked={control.fields.text() !== undefined}
          />
          <span>
            <Title question={question} control={control} />
          </span>
        </label>
      </Body>
    </div>
  ),
  statement: ({ question }, control) => (
    <div class="question" id={control.fields.name}>
      <p>
        <span class="text" dir="auto">
          {question}
        </span>
      </p>
    </div>
  ),
};
