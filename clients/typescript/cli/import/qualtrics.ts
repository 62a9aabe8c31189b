import type { Expression } from './condition.js';
import { Draft } from './draft.js';
import { conditionsOfLogic, nameOf } from './qualtrics-logic.js';
import {
  addSliders,
  addText,
  choicesOf,
  type Listed,
  type QsfQuestion,
} from './qualtrics-questions.js';

interface Block {
  Type?: string;
  Description?: string;
  ID?: string;
  BlockElements?: { Type: string; QuestionID?: string; SkipLogic?: unknown }[];
}

interface Qsf {
  SurveyEntry?: { SurveyName?: string; SurveyDescription?: string | null };
  SurveyElements?: { Element: string; Payload: any }[];
}

const valuesOf = <T>(list: Listed<T> | undefined): T[] => Object.values(list ?? {});

/** Converts a survey of Qualtrics. */
export function fromQualtrics({ SurveyEntry = {}, SurveyElements = [] }: Qsf) {
  const draft = new Draft();
  const payloads = (kind: string) =>
    SurveyElements.filter(({ Element }) => Element === kind).map(
      ({ Payload }) => Payload as unknown,
    );
  const questions = new Map(
    (payloads('SQ') as QsfQuestion[]).map((question) => [question.QuestionID, question]),
  );
  loseFlow(draft, payloads('FL'));
  for (const block of payloads('BL').flatMap((list) => valuesOf(list as Listed<Block>))) {
    if (block.Type !== 'Trash') {
      draft.section(block.Type === 'Standard' ? (block.Description ?? '') : '');
      addBlock(draft, block, questions);
    }
  }
  const { SurveyName = '', SurveyDescription } = SurveyEntry;
  return { draft, title: SurveyName, description: SurveyDescription ?? '' };
}

/** The flow: in which order, to whom and how often blocks are shown. */
function loseFlow(draft: Draft, flows: readonly unknown[]): void {
  const text = JSON.stringify(flows);
  const found = {
    Branch: 'branches between blocks: give show_if to their questions',
    BlockRandomizer: 'blocks in random order, or some of them for each respondent',
    Randomizer: 'a random part of the flow',
    EmbeddedData: 'values that come from outside or are computed',
    WebService: 'calls of web services',
    Quota: 'quotas: write them in targeting',
  };
  for (const [type, what] of Object.entries(found)) {
    if (text.includes(`"Type":"${type}"`)) {
      draft.lose(null, what);
    }
  }
}

function addBlock(
  draft: Draft,
  { BlockElements }: Block,
  questions: Map<string, QsfQuestion>,
): void {
  for (const { QuestionID = '', SkipLogic } of BlockElements ?? []) {
    const question = questions.get(QuestionID);
    if (question !== undefined) {
      if (SkipLogic !== undefined || question.SkipLogic !== undefined) {
        draft.lose(nameOf(question), 'skip logic: give show_if to what it leaves out');
      }
      addQuestion(draft, question, conditionsOfLogic(draft, question, questions));
    }
  }
}

function addQuestion(draft: Draft, question: QsfQuestion, conditions: Expression[]): void {
  const { QuestionType, Selector = '', SubSelector = '', Validation } = question;
  const name = nameOf(question);
  const settings = Validation?.Settings ?? {};
  const required = settings.ForceResponse === 'ON';
  const common = { name, text: question.QuestionText ?? '', required, conditions };
  const choices = choicesOf(question.Choices, question.ChoiceOrder);
  const shuffle = question.Randomization?.Type === 'All' && { shuffle: true };
  if (question.QuestionJS) {
    draft.lose(name, 'a script');
  }
  if (/<img\b|<video\b|<audio\b/i.test(common.text)) {
    draft.lose(name, 'a picture or recording in its text');
  }
  switch (QuestionType) {
    case 'DB':
      draft.add({ ...common, type: 'statement' });
      return;
    case 'MC':
      if (Selector === 'NPS') {
        draft.add({ ...common, type: 'nps' });
        return;
      }
      draft.add({
        ...common,
        type: /^(MA|MSB)/.test(Selector) ? 'multiple_choice' : 'single_choice',
        options: choices,
        fields: {
          ...shuffle,
          ...(settings.MinChoices > 0 && { minimum_choices: Number(settings.MinChoices) }),
          ...(settings.MaxChoices > 0 && { maximum_choices: Number(settings.MaxChoices) }),
        },
      });
      return;
    case 'TE':
      addText(draft, question, common, settings, choices);
      return;
    case 'RO':
      draft.add({ ...common, type: 'ranking', options: choices, fields: { ...shuffle } });
      return;
    case 'Slider':
      addSliders(draft, question, common, choices);
      return;
    case 'Matrix': {
      const answers = choicesOf(question.Answers, question.AnswerOrder);
      if (Selector === 'TE') {
        choices.forEach((row) =>
          draft.add({
            ...common,
            name: `${name}_${row.value}`,
            text: `${common.text} ${row.text}`,
            type: 'text',
          }),
        );
        return;
      }
      const several = SubSelector === 'MultipleAnswer';
      const cells = several ? 'multiple_choice' : 'single_choice';
      const fields = { ...shuffle, ...(several && { several }) };
      draft.add({ ...common, type: 'matrix', rows: choices, options: answers, cells, fields });
      return;
    }
    case 'Timing':
    case 'Meta':
    case 'Captcha':
      draft.lose(name, `${QuestionType}, which asks nothing`);
      return;
    default:
      draft.lose(name, `the question: there is no type ${QuestionType} here`);
  }
}
