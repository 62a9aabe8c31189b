import fc from 'fast-check';
import type { Option } from '../../src/campaigns/questions/question.types';
import { equality, Given, Kind, maybe, membership, presence, values } from './question-kind';

/*
 * The types of questions that have options.
 */

export const nameOf = (option: Option) =>
  typeof option === 'string' ? option : (option.key ?? option.text);
export const namesIn = (options: Option[]) => options.map(nameOf);
const marked = (options: Option[], mark: 'other' | 'exclusive') =>
  options.filter((option) => typeof option !== 'string' && option[mark]).map(nameOf);

/** Options, some of which are objects with marks. */
export const optionsWith = (...marks: ('other' | 'exclusive' | 'fixed' | 'key')[]) =>
  fc.array(fc.constantFrom('text', ...marks), { minLength: 2, maxLength: 5 }).map((kinds) =>
    kinds.map((kind, index): Option => {
      const text = `Option ${index}`;
      if (kind === 'text' || (kind === 'other' && kinds.indexOf('other') < index)) {
        return text;
      }
      const key = { text, key: `o${index}` };
      return kind === 'key' ? key : { ...key, [kind]: true };
    }),
  );

/** Adds the text that the option with `other` asks for. */
const withOther = (options: Option[], value: string | string[]): Given => {
  const isOther = [value].flat().some((each) => marked(options, 'other').includes(each));
  return isOther ? { value, other: 'Oat milk' } : { value };
};

export const singleChoice: Kind = {
  fields: fc.record({
    options: optionsWith('other', 'fixed', 'key'),
    comment: fc.constantFrom(undefined, true),
    shuffle: fc.constantFrom(undefined, true),
  }),
  conditions: ({ options }) => [...equality(namesIn(options)[0]!), ...presence],
  right: ({ options, comment }) => [
    ...namesIn(options).map((value) => withOther(options, value)),
    ...(comment ? [{ ...withOther(options, namesIn(options).at(-1)!), comment: 'Always' }] : []),
  ],
  wrong: ({ options, comment }) => [
    ...values('nothing', 1, namesIn(options), ...marked(options, 'other')),
    ...(comment ? [] : [{ ...withOther(options, namesIn(options)[0]!), comment: 'Always' }]),
    ...(marked(options, 'other').length > 0 ? [] : [{ value: nameOf(options[0]), other: 'x' }]),
  ],
};

export const multipleChoice: Kind = {
  fields: fc
    .record({
      options: optionsWith('other', 'exclusive', 'fixed', 'key'),
      comment: fc.constantFrom(undefined, true),
      least: maybe(fc.nat(4)),
      most: maybe(fc.nat(4)),
    })
    .map(({ options, comment, least, most }) => {
      const free = options.length - marked(options, 'exclusive').length;
      const minimum = least === undefined ? undefined : 1 + (least % Math.max(1, free));
      return {
        options,
        comment,
        minimum_choices: minimum === 1 ? undefined : minimum,
        maximum_choices:
          most === undefined ? undefined : Math.min(options.length, (minimum ?? 1) + most),
      };
    }),
  conditions: ({ options }) => [...membership(namesIn(options)[1]!), ...presence],
  right: ({ options, comment, minimum_choices = 1, maximum_choices = options.length }) => {
    const alone = marked(options, 'exclusive');
    const free = namesIn(options).filter((name) => !alone.includes(name));
    const ticks = [free.slice(0, minimum_choices), free.slice(0, maximum_choices).toReversed()];
    const right = [
      ...ticks.filter(({ length }) => length > 0).map((value) => withOther(options, value)),
      ...values(...alone.map((name) => [name])),
    ];
    return comment ? [...right, { ...right[0]!, comment: 'Always' }] : right;
  },
  wrong: ({ options, minimum_choices = 1, maximum_choices = options.length }) => {
    const alone = marked(options, 'exclusive');
    const free = namesIn(options).filter((name) => !alone.includes(name));
    return [
      ...values([], ['nothing'], 'text', [free[0] ?? 'x', free[0] ?? 'x']),
      ...(minimum_choices > 1 ? values(free.slice(0, minimum_choices - 1)) : []),
      ...(maximum_choices < free.length
        ? [withOther(options, free.slice(0, maximum_choices + 1))]
        : []),
      ...(alone[0] && free[0] ? [withOther(options, [alone[0], free[0]])] : []),
      ...(alone.length > 1 ? values(alone) : []),
    ];
  },
};

export const ranking: Kind = {
  fields: fc
    .record({ options: optionsWith('fixed', 'key'), most: maybe(fc.nat(4)) })
    .map(({ options, most }) => ({
      options,
      rank_at_most: most === undefined ? undefined : 1 + (most % options.length),
    })),
  conditions: ({ options }) => [...membership(namesIn(options)[0]!), ...presence],
  right: ({ options, rank_at_most }) => [
    ...values(namesIn(options).slice(0, rank_at_most)),
    ...values(namesIn(options).toReversed().slice(0, rank_at_most)),
    ...(rank_at_most === undefined ? [] : values([namesIn(options).at(-1)])),
  ],
  wrong: ({ options, rank_at_most }) => [
    ...values([], 'text', ['nothing'], [...namesIn(options), nameOf(options[0])]),
    ...(rank_at_most === undefined && options.length > 1 ? values([nameOf(options[0])]) : []),
    ...(rank_at_most < options.length ? values(namesIn(options).slice(0, rank_at_most + 1)) : []),
  ],
};
