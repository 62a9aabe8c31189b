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

/** A question with its plots and tables. */
export function questionSection(
  question: QuestionResultDto,
  imageSurvey: ImageSurvey | null,
): Html {
  const { question: position, type, text, answered } = question;
  return html`<section>
    <h3 dir="auto">${position}. ${text}</h3>
    <p class="quiet">
      ${KINDS[type]}${answered !== undefined && html` · ${counted(answered, 'answer')}`}
    </p>
    ${contentOf(question, imageSurvey)}
  </section>`;
}

function contentOf(question: QuestionResultDto, imageSurvey: ImageSurvey | null): Content {
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
      return choice(question);
  }
}

function choice({ type, options = [] }: QuestionResultDto): Html {
  return html`${
    type === 'multiple_choice' &&
    html`<p class="quiet">
      Shares of those who answered. They chose as many as they liked, so shares can add up to more
      than 100%.
    </p>`
  }
  ${shareParts({
    name: 'The share of each option',
    head: ['Option', 'Answers'],
    shares: options.map(({ value: name, ...share }) => ({ name, ...share })),
  })}`;
}
