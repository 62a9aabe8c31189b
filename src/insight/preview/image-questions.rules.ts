import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import {
  DEFAULT_SCALE,
  ImageSurvey,
  Undecided,
  undecidedIn,
} from '../../campaigns/campaign/image-survey.rules';
import type { Option, Question, SetContent } from '../../campaigns/questions/question.types';

/** What a campaign asks: its questions, or what stands for the images of an image survey. */
export interface Questionnaire {
  set: SetContent;
  /** URLs by the position of a question, from 1, and the key of the option, if it is one's. */
  pictures: ReadonlyMap<string, string>;
}

/** The name of a picture in {@link Questionnaire}. */
export function pictureName(position: number, option?: string): string {
  return option === undefined ? `${position}` : `${position} ${option}`;
}

/** Returns the questions of a campaign; those of an image survey are ratings or choices. */
export function questionnaireOf(
  { imageSurvey, format }: Pick<Campaign, 'imageSurvey' | 'format'>,
  set: SetContent | null,
): Questionnaire {
  if (imageSurvey === null) {
    const none = { questions: [], language: null, translations: null, sections: null };
    return { set: set ?? none, pictures: new Map() };
  }
  const { images } = imageSurvey;
  const isRating = format === 'image_slider';
  const shown = isRating ? images.map((_, index) => [index]) : pairsOf(images.length);
  const pictures = new Map(
    shown.flatMap((indexes, place) =>
      indexes.map((index): [string, string] => [
        pictureName(place + 1, isRating ? undefined : String(index + 1)),
        images[index]?.url ?? '',
      ]),
    ),
  );
  const questions = shown.map((indexes, place) =>
    isRating
      ? ratingOf(imageSurvey, indexes)
      : choiceOf(imageSurvey, indexes, `${place + 1} / ${shown.length}`),
  );
  return { set: { questions, language: null, translations: null, sections: null }, pictures };
}

function pairsOf(count: number): number[][] {
  const indexes = Array.from({ length: count }, (_, index) => index);
  return indexes.flatMap((first) => indexes.slice(first + 1).map((second) => [first, second]));
}

function ratingOf({ question, images, scale }: ImageSurvey, [index = 0]: number[]): Question {
  const label = images[index]?.label;
  return {
    type: 'rating',
    question: label === undefined ? question : `${question}\n${label}`,
    scale: scale ?? DEFAULT_SCALE,
    display: 'slider',
  };
}

const UNDECIDED: Readonly<Record<Undecided, string>> = {
  tie: 'Both alike',
  skip: 'Skip this pair',
};

/** Each pair has a page of its own. */
function choiceOf(imageSurvey: ImageSurvey, indexes: number[], section: string): Question {
  const { question, images } = imageSurvey;
  const options = indexes.map((index): Option => {
    const name = String(index + 1);
    return { text: images[index]?.label ?? name, key: name };
  });
  const undecided = undecidedIn(imageSurvey).map((key) => ({ text: UNDECIDED[key], key }));
  return { type: 'single_choice', question, section, options: [...options, ...undecided] };
}
