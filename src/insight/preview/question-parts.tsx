import type { ComponentChildren } from 'preact';
import type { Question } from '../../campaigns/questions/question.types';
import { pictureName } from './image-questions.rules';
import { Control, describedBy, errorId, hintId, labelId, Picture } from './inputs';

/** Whether a question can be left out. */
export const isOptional = (question: Question) =>
  question.type !== 'statement' && question.required === false;

interface Parts {
  question: Question;
  control: Control;
  hint?: string;
  children: ComponentChildren;
}

/** The text of a question. */
export function Title({ question, control }: Pick<Parts, 'question' | 'control'>) {
  return (
    <>
      <span class="text" dir="auto">
        {question.question}
      </span>
      {isOptional(question) && <span class="quiet"> ({control.texts.optional})</span>}
    </>
  );
}

/** What is below the title of a question: a picture, a hint, the control, and what is wrong. */
export function Body({ control, hint, children }: Omit<Parts, 'question'>) {
  return (
    <>
      <Picture url={control.pictures.get(pictureName(control.position))} />
      {hint !== undefined && (
        <p class="quiet" id={hintId(control)}>
          {hint}
        </p>
      )}
      {children}
      {control.errors.length > 0 && (
        <p class="error" id={errorId(control)}>
          {control.errors.join(' ')}
        </p>
      )}
    </>
  );
}

/** A question with several fields. */
export function Group({ question, control, hint, children }: Parts) {
  return (
    <fieldset
      class="question"
      id={control.fields.name}
      aria-describedby={describedBy(control, hint !== undefined)}
    >
      <legend id={labelId(control)}>
        <Title question={question} control={control} />
      </legend>
      <Body control={control} hint={hint}>
        {children}
        {'comment' in question && question.comment === true && <Comment {...control} />}
      </Body>
    </fieldset>
  );
}

function Comment(control: Control) {
  const { fields, texts } = control;
  return (
    <label class="comment">
      <span class="quiet">{texts.comment}</span>
      <textarea name={fields.nameOf('comment')} rows={2} aria-describedby={describedBy(control)}>
        {fields.text('comment')}
      </textarea>
    </label>
  );
}

/** The id of the only field of a question. */
export const fieldId = ({ fields }: Control) => `${fields.name}-field`;

/** A question with one field. */
export function Single({ question, control, hint, children }: Parts) {
  return (
    <div class="question" id={control.fields.name}>
      <label for={fieldId(control)} id={labelId(control)}>
        <Title question={question} control={control} />
      </label>
      <Body control={control} hint={hint}>
        {children}
      </Body>
    </div>
  );
}
