import { type Choice, Draft } from './draft.js';

interface GoogleOption {
  value?: string;
  isOther?: boolean;
  goToAction?: string;
  goToSectionId?: string;
}

interface GoogleQuestion {
  questionId?: string;
  required?: boolean;
  choiceQuestion?: { type: string; options: GoogleOption[]; shuffle?: boolean };
  textQuestion?: { paragraph?: boolean };
  scaleQuestion?: { low?: number; high?: number; lowLabel?: string; highLabel?: string };
  ratingQuestion?: { ratingScaleLevel: number; iconType?: string };
  dateQuestion?: { includeTime?: boolean; includeYear?: boolean };
  timeQuestion?: { duration?: boolean };
  fileUploadQuestion?: object;
  rowQuestion?: { title: string };
  grading?: object;
}

interface GoogleItem {
  itemId?: string;
  title?: string;
  description?: string;
  questionItem?: { question: GoogleQuestion; image?: object };
  questionGroupItem?: {
    questions: GoogleQuestion[];
    grid?: { columns: { type: string; options: GoogleOption[] }; shuffleQuestions?: boolean };
  };
  pageBreakItem?: object;
  textItem?: object;
  imageItem?: object;
  videoItem?: object;
}

interface GoogleForm {
  info?: { title?: string; documentTitle?: string; description?: string };
  items?: GoogleItem[];
}

/** Converts a form as the API of Google Forms returns it. */
export function fromGoogleForms({ info = {}, items = [] }: GoogleForm) {
  const draft = new Draft();
  items.forEach((item, index) => addItem(draft, item, `question_${index + 1}`));
  return {
    draft,
    title: info.title ?? info.documentTitle ?? '',
    description: info.description ?? '',
  };
}

function addItem(draft: Draft, item: GoogleItem, name: string): void {
  const { title = '', description = '' } = item;
  const text = description === '' ? title : `${title} (${description})`;
  if (item.pageBreakItem !== undefined) {
    draft.section(title);
    if (description !== '') {
      draft.add({ name, text: description, type: 'statement' });
    }
  } else if (item.textItem !== undefined) {
    draft.add({ name, text: `${title} ${description}`, type: 'statement' });
  } else if (item.imageItem !== undefined || item.videoItem !== undefined) {
    draft.lose(name, 'a picture or video');
  } else if (item.questionGroupItem !== undefined) {
    addGrid(draft, item.questionGroupItem, name, text);
  } else if (item.questionItem !== undefined) {
    if (item.questionItem.image !== undefined) {
      draft.lose(name, 'the picture of the question');
    }
    addQuestion(draft, item.questionItem.question, name, text);
  }
}

function addQuestion(draft: Draft, question: GoogleQuestion, name: string, text: string): void {
  const common = { name, text, required: question.required };
  const { choiceQuestion, scaleQuestion, ratingQuestion, dateQuestion, timeQuestion } = question;
  if (question.grading !== undefined) {
    draft.lose(name, 'the points of a quiz');
  }
  if (choiceQuestion !== undefined) {
    const { type, shuffle } = choiceQuestion;
    draft.add({
      ...common,
      type: type === 'CHECKBOX' ? 'multiple_choice' : 'single_choice',
      options: optionsOf(draft, name, choiceQuestion.options),
      fields: { ...(shuffle === true && { shuffle }) },
    });
  } else if (scaleQuestion !== undefined) {
    const { low = 0, high = 10, lowLabel, highLabel } = scaleQuestion;
    const labels = {
      ...(lowLabel && { min_label: lowLabel }),
      ...(highLabel && { max_label: highLabel }),
    };
    draft.add({
      ...common,
      type: 'rating',
      fields: { scale: { min: low, max: high, step: 1, ...labels } },
    });
  } else if (ratingQuestion !== undefined) {
    const { ratingScaleLevel: max, iconType } = ratingQuestion;
    const display = iconType === 'STAR' && { display: 'stars' };
    draft.add({
      ...common,
      type: 'rating',
      fields: { scale: { min: 1, max, step: 1 }, ...display },
    });
  } else if (dateQuestion !== undefined) {
    if (dateQuestion.includeTime === true) {
      draft.lose(name, 'the time of day: the date is asked');
    }
    if (dateQuestion.includeYear === false) {
      draft.lose(name, 'a date without a year: the whole date is asked');
    }
    draft.add({ ...common, type: 'date' });
  } else if (timeQuestion !== undefined) {
    const isDuration = timeQuestion.duration === true;
    if (isDuration) {
      draft.lose(name, 'a duration: a text is asked');
    }
    draft.add({ ...common, type: 'text', fields: isDuration ? {} : { format: 'time' } });
  } else if (question.textQuestion !== undefined) {
    const isLong = question.textQuestion.paragraph === true;
    draft.add({ ...common, type: isLong ? 'descriptive' : 'text' });
  } else {
    draft.lose(name, 'the question: a file is uploaded, or its type is not known');
  }
}

function addGrid(
  draft: Draft,
  { questions, grid }: NonNullable<GoogleItem['questionGroupItem']>,
  name: string,
  text: string,
): void {
  if (grid === undefined) {
    draft.lose(name, 'a group of questions that is no table');
    return;
  }
  const several = grid.columns.type === 'CHECKBOX';
  draft.add({
    name,
    text,
    type: 'matrix',
    required: questions.some(({ required }) => required === true),
    rows: questions.map(({ rowQuestion }, index) => ({
      value: rowQuestion?.title ?? `row ${index + 1}`,
      text: rowQuestion?.title ?? '',
    })),
    options: optionsOf(draft, name, grid.columns.options),
    cells: several ? 'multiple_choice' : 'single_choice',
    fields: {
      ...(several && { several }),
      ...(grid.shuffleQuestions === true && { shuffle: true }),
    },
  });
}

function optionsOf(draft: Draft, name: string, options: readonly GoogleOption[]): Choice[] {
  return options.map(({ value = '', isOther, goToAction, goToSectionId }) => {
    const goes = goToSectionId ?? (goToAction === 'NEXT_SECTION' ? undefined : goToAction);
    if (goes !== undefined) {
      draft.lose(name, 'answers that go to another section: give show_if to what they leave out');
    }
    return isOther === true
      ? { value: 'other', text: value || 'Other', other: true }
      : { value, text: value };
  });
}
