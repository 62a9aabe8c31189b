import type { ImageSurvey } from '../campaign/image-survey.rules';
import type { QuestionResultDto } from '../results/question-results.dto';
import { Content, html, Html } from '../site/html';
import { counted } from './figures.rules';
import { preferredImages, rankedImages, ratedImages } from './images';
import { shareParts } from './shares';

const KINDS: Readonly<Record<QuestionResultDto['type'], string>> = {
  descriptive: 'Open text',
  text: 'Short text',
  single_choice: 'One option',
  multiple_choice: 'Several options',
  round_robin: 'Images compared in pairs',
  binary: 'One of two images',
  image_slider: 'Images rated on a scale',
};

/** Options that a page shows, of all questions together: about a megabyte. */
const OPTIONS_MAXIMUM = 2_500;

/**
 * The questions, each with its plots and tables. Each is drawn when it is asked for: all of a long
 * questionnaire together take too long for one turn.
 */
export function* questionSections(
  questions: readonly QuestionResultDto[],
  imageSurvey: ImageSurvey | null,
): Generator<Html> {
  const optionsMaximum = optionsOfEach(questions);
  for (const each of questions) {
    yield questionSection(each, contentOf(each, imageSurvey, optionsMaximum));
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

function questionSection(question: QuestionResultDto, content: Content): Html {
  const { question: position, type, text, answered } = question;
  return html`<section>
    <h3 dir="auto">${position}. ${text}</h3>
    <p class="quiet">
      ${KINDS[type]}${answered !== undefined && html` · ${counted(answered, 'answer')}`}
    </p>
    ${content}
  </section>`;
}

function contentOf(
  question: QuestionResultDto,
  imageSurvey: ImageSurvey | null,
  optionsMaximum: number,
): Content {
  switch (question.type) {
    case 'text':
    case 'descriptive':
      return html`<p>The texts that respondents typed are not on this page.</p>`;
    case 'binary':
      return preferredImages(question);
    case 'round_robin':
      return rankedImages(question);
    case 'image_slider':
      return ratedImages(question, imageSurvey?.scale);
    default:
      return choice(question, optionsMaximum);
  }
}

function choice({ type, options = [] }: QuestionResultDto, maximum: number): Html {
  const isCut = options.length > maximum;
  const shown = isCut ? options.toSorted((a, b) => b.count - a.count).slice(0, maximum) : options;
  return html`${
    isCut && html`<p class="quiet">The ${maximum} most frequent of ${options.length} options.</p>`
  }
  ${
    type === 'multiple_choice' &&
    html`<p class="quiet">
      Shares of those who answered. They chose as many as they liked, so shares can add up to more
      than 100%.
    </p>`
  }
  ${shareParts({
    name: 'The share of each option',
    head: ['Option', 'Answers'],
    shares: shown.map(({ value: name, ...share }) => ({ name, ...share })),
  })}`;
}
