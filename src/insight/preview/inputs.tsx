import { Big } from 'big.js';
import type { Scale } from '../../campaigns/campaign/image-survey.rules';
import { identitiesOf, optionOf } from '../../campaigns/questions/option.rules';
import type { Option, RatingDisplay } from '../../campaigns/questions/question.types';
import type { Fields } from './form.rules';
import { pictureName } from './image-questions.rules';
import type { Texts } from './texts';

/** What the control of a question is drawn with. */
export interface Control {
  position: number;
  fields: Fields;
  texts: Texts;
  pictures: ReadonlyMap<string, string>;
  /** What is wrong with the answer, in the language of the page. */
  errors: readonly string[];
  /** Whether the first field of the question is focused when the page is opened. */
  isFocused: boolean;
}

export const errorId = ({ fields }: Control) => `${fields.name}-error`;
export const hintId = ({ fields }: Control) => `${fields.name}-hint`;
export const labelId = ({ fields }: Control) => `${fields.name}-label`;

/** The ids of what describes a control; nothing if there is nothing. */
export function describedBy(control: Control, hasHint = false): string | undefined {
  const ids = [
    ...(hasHint ? [hintId(control)] : []),
    ...(control.errors.length > 0 ? [errorId(control)] : []),
  ];
  return ids.length === 0 ? undefined : ids.join(' ');
}

/** A picture, whose host learns nothing of the page. What it shows is named beside it. */
export function Picture({ url }: { url: string | undefined }) {
  return url === undefined ? null : (
    <img src={url} alt="" loading="lazy" referrerpolicy="no-referrer" />
  );
}

interface ChoiceProps {
  control: Control;
  options: readonly Option[];
  isSeveral?: boolean;
  /** The row of a matrix. */
  part?: number;
  /** Whether no option at all can be chosen too, which radio buttons cannot do by themselves. */
  isOptional?: boolean;
}

/** Options to choose one or several of. */
export function Choice({ control, options, isSeveral, part, isOptional }: ChoiceProps) {
  const { fields, position, pictures, texts } = control;
  const chosen = new Set(fields.texts(part));
  const type = isSeveral === true ? 'checkbox' : 'radio';
  const identities = identitiesOf(options);
  return (
    <div class="options">
      {options.map((option, index) => {
        const identity = identities[index] ?? '';
        const { text, other } = optionOf(option);
        return (
          <div>
            <label class="option">
              <input
                type={type}
                name={fields.nameOf(part)}
                value={identity}
                checked={chosen.has(identity)}
                autofocus={control.isFocused && index === 0 && (part ?? 0) === 0}
              />
              <Picture url={pictures.get(pictureName(position, identity))} />
              <span dir="auto">{text}</span>
            </label>
            {other === true && (
              <input
                type="text"
                class="other"
                name={fields.nameOf('other')}
                value={fields.text('other')}
                aria-label={`${text}: ${texts.other}`}
                aria-describedby={describedBy(control)}
              />
            )}
          </div>
        );
      })}
      {isOptional === true && type === 'radio' && (
        <label class="option quiet">
          <input type="radio" name={fields.nameOf(part)} value="" />
          <span>{texts.noAnswer}</span>
        </label>
      )}
    </div>
  );
}

/** Scales with more points are a number to enter, with a slider beside it. */
const POINTS_MAXIMUM = 21;

/** The points of a scale; nothing if they are too many to choose from. */
function pointsOf({ min, max, step }: Scale): number[] | undefined {
  const count = new Big(max).minus(min).div(step).plus(1).toNumber();
  return count > POINTS_MAXIMUM
    ? undefined
    : Array.from({ length: count }, (_, index) => new Big(step).times(index).plus(min).toNumber());
}

interface ScaleProps {
  control: Control;
  scale: Scale;
  display?: RatingDisplay;
  /** The row of a matrix. */
  part?: number;
  /** The id of what names the scale. */
  labelledBy: string;
  isOptional?: boolean;
}

/** A scale to rate on. */
export function ScaleInput(props: ScaleProps) {
  const { control, scale, display = 'buttons', part, labelledBy, isOptional } = props;
  const { fields, texts } = control;
  const { min_label: minLabel, max_label: maxLabel } = scale;
  const name = fields.nameOf(part);
  const isFocused = control.isFocused && (part ?? 0) === 0;
  const value = fields.number(part);
  const ends = (minLabel !== undefined || maxLabel !== undefined) && (
    <p class="ends">
      <span dir="auto">{minLabel}</span>
      <span dir="auto">{maxLabel}</span>
    </p>
  );
  const points = display === 'slider' ? undefined : pointsOf(scale);
  if (points === undefined) {
    return (
      <>
        <div class="slider">
          <input
            type="text"
            inputmode="decimal"
            class="number"
            name={name}
            value={value}
            data-min={scale.min}
            data-max={scale.max}
            data-step={scale.step}
            aria-labelledby={labelledBy}
            aria-describedby={describedBy(control)}
            autofocus={isFocused}
          />
          <span class="quiet">
            {scale.min} – {scale.max}
          </span>
        </div>
        {ends}
      </>
    );
  }
  return (
    <>
      <div class={display === 'stars' ? 'points stars' : 'points'}>
        {points.map((point, index) => {
          const label = index === 0 ? minLabel : index === points.length - 1 ? maxLabel : undefined;
          return (
            <label>
              <input
                type="radio"
                name={name}
                value={point}
                checked={value === point}
                autofocus={isFocused && index === 0}
              />
              {display === 'stars' && <span aria-hidden="true">★</span>}
              <span class={display === 'stars' ? 'unseen' : undefined}>{point}</span>
              {label !== undefined && <span class="unseen"> {label}</span>}
            </label>
          );
        })}
        {isOptional === true && (
          <label class="quiet">
            <input type="radio" name={name} value="" />
            <span>{texts.noAnswer}</span>
          </label>
        )}
      </div>
      {ends}
    </>
  );
}
