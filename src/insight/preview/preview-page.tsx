import { renderToString } from 'preact-render-to-string';
import type { PresentedSet } from '../../campaigns/questions/presented.rules';
import { inTurns } from '../../platform/limits/turns';
import { rendered } from '../../platform/site/html';
import type { RenderedPage } from '../../platform/site/linked-page';
import { drawQuestion } from './controls';
import { Fields, Form, positionOf } from './form.rules';
import { messageOf } from './messages';
import { PAGES } from './pages';
import { piped } from './piped.rules';
import type { Place } from './steps.rules';
import { directionOf, fill, textsIn } from './texts';

/** What a page shows. */
export interface PreviewContent {
  title: string;
  presented: PresentedSet;
  pictures: ReadonlyMap<string, string>;
  /** The languages that the questions are in. */
  languages: readonly string[];
  place: Place;
  /** What was sent, which the page carries on. */
  form: Form;
  /** Decides the random order. */
  seed: string;
}

/** Returns a page of a preview. Its questions are drawn in turns, because they can be thousands. */
export async function renderPreview(content: PreviewContent): Promise<RenderedPage> {
  const { title, presented, pictures, place } = content;
  const { texts, tag } = textsIn(presented.language);
  const language = presented.language ?? tag;
  const questions = piped(presented.questions, place.answers);
  const [firstWrong] = place.positions.filter((position) => place.problems.has(position));
  const drawn: string[] = [];
  await inTurns(place.positions, (position) => {
    const part = place.shown.get(position);
    const whole = questions[position - 1];
    if (part !== undefined && whole !== undefined) {
      const question = { ...part, question: whole.question };
      const problems = place.problems.get(position) ?? [];
      const control = {
        position,
        fields: new Fields(content.form, position, whole),
        texts,
        pictures,
        errors: [...new Set(problems.map((each) => messageOf(question, each, texts)))],
        isFocused: position === firstWrong,
      };
      drawn.push(renderToString(drawQuestion(question, control)));
    }
  });
  const heading = questions[(place.positions[0] ?? 0) - 1]?.section;
  const page = (
    <>
      <p class="notice" lang={tag}>
        {texts.stored}
      </p>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {place.page < place.pages ? (
        <>
          <p class="quiet" lang={tag}>
            {fill(texts.page, place.page + 1)}
          </p>
          {heading !== undefined && (
            <h2>
              <bdi>{heading}</bdi>
            </h2>
          )}
        </>
      ) : (
        <p lang={tag}>{questions.length === 0 ? texts.empty : texts.done}</p>
      )}
      <form method="post" novalidate autocomplete="off">
        <Carried {...content} />
        <div id="questions" data-live={place.isLive ? '' : undefined}>
          {drawn.map(rendered)}
        </div>
        <Buttons {...content} />
      </form>
      {place.page >= place.pages && <Answers {...content} />}
    </>
  );
  const mark = place.problems.size > 0 ? texts.error : texts.preview;
  return PAGES.render({
    title: `${mark} · ${title}`,
    content: page,
    language,
    direction: directionOf(language),
    isWhole: true,
    pictures: [...pictures.values()],
  });
}

/** What the page carries on: the answers on other pages, and where this one is. */
function Carried({ form, place, presented, seed, languages }: PreviewContent) {
  const here = new Set(place.positions);
  const fields = [...form].filter(([name]) => {
    const position = positionOf(name);
    return position !== undefined && position <= presented.questions.length && !here.has(position);
  });
  const own = {
    seed,
    page: place.page,
    seen: place.seen,
    ...(languages.length > 1 ? {} : { language: presented.language ?? undefined }),
  };
  return (
    <div id="carried">
      {Object.entries(own).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {fields.flatMap(([name, values]) =>
        values.map((value) => <input type="hidden" name={name} value={value} />),
      )}
    </div>
  );
}

function Buttons({ place, presented, languages }: PreviewContent) {
  const { texts, tag } = textsIn(presented.language);
  const isDone = place.page >= place.pages;
  return (
    <div class="buttons" lang={tag}>
      {!isDone && (
        <button name="step" value="next">
          {place.page === place.pages - 1 ? texts.finish : texts.next}
        </button>
      )}
      {place.page > 0 && (
        <button name="step" value="back" class="plain">
          {texts.back}
        </button>
      )}
      {isDone && place.pages > 0 && <a href="">{texts.again}</a>}
      {languages.length > 1 && (
        <p class="language">
          <label for="language">{texts.language}</label>
          <select id="language" name="language">
            {languages.map((each) => (
              <option value={each} lang={each} selected={each === presented.language}>
                {languageName(each)}
              </option>
            ))}
          </select>
          <button name="step" value="show" class="plain">
            {texts.show}
          </button>
        </p>
      )}
    </div>
  );
}

/** The name of a language in itself. */
function languageName(tag: string): string {
  const { baseName } = new Intl.Locale(tag);
  return new Intl.DisplayNames([baseName], { type: 'language' }).of(baseName) ?? tag;
}

/** The answers, for whoever writes a platform; those about images have other names. */
function Answers({ place, presented, pictures }: PreviewContent) {
  const { texts, tag } = textsIn(presented.language);
  const answers = [...place.answers.values()].map(({ key, question, ...answer }) => ({
    question: key ?? question,
    ...answer,
  }));
  return pictures.size > 0 || place.pages === 0 ? null : (
    <details>
      <summary lang={tag}>{texts.answers}</summary>
      <pre dir="ltr">{JSON.stringify(answers, null, 2)}</pre>
    </details>
  );
}
