import type { Generator } from './generator';

/**
 * It makes a function per operation, which an Angular service invokes; errors have a body of type
 * `any`. An Angular application compiles its services ahead of time. Here Angular compiles them as
 * they load, which takes its compiler, the decorators' metadata and `reflect-metadata`. And instead
 * of a browser's platform there is an injector, which has to be the root of what is provided there
 * and to do without zones.
 */
export const NG_OPENAPI_GEN: Generator = {
  name: 'ng-openapi-gen',
  command: ['ng-openapi-gen/lib/index.js', '--config', 'config.json'],
  config: { input: 'openapi.json', output: 'client', silent: true },
  compilerOptions: {
    // Its imports have no extensions.
    module: 'commonjs',
    moduleResolution: 'bundler',
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  },
  program: `
import 'reflect-metadata';
import '@angular/compiler';
import * as http from '@angular/common/http';
import * as core from '@angular/core';
import { Api } from './client/api';
import { provideApiConfiguration } from './client/api-configuration';
import * as operations from './client/functions';
import type { ErrorCode, ErrorEnvelope } from './client/models';
import { baseUrl, company, questions, rewards, survey } from './journey';

async function journey() {
  let credential: Record<string, string> = {};
  const withCredential: http.HttpInterceptorFn = (request, next) =>
    next(request.clone({ setHeaders: credential }));
  const injector = core.createEnvironmentInjector(
    [
      { provide: core.ɵINJECTOR_SCOPE, useValue: 'root' },
      core.provideZonelessChangeDetection(),
      http.provideHttpClient(http.withFetch(), http.withInterceptors([withCredential])),
      provideApiConfiguration(baseUrl),
    ],
    core.Injector.NULL as core.EnvironmentInjector,
  );
  const api = injector.get(Api);

  await api.invoke(operations.registerCompany, { body: company });
  const { email, password } = company;
  const loggedIn = await api.invoke(operations.logIn, { body: { email, password } });
  const token: string = loggedIn.data.access_token;

  const refused: unknown = await api.invoke(operations.listCampaigns).catch((error) => error);
  if (!(refused instanceof http.HttpErrorResponse)) throw refused;
  if (refused.status !== 401) throw new Error(String(refused.status));
  const code: ErrorCode = (refused.error as ErrorEnvelope).error.code;
  // @ts-expect-error: there is no such code
  code === 'no_such_code';

  credential = { authorization: \`Bearer \${token}\` };
  const generated = await api.invoke(operations.generateApiKey, {
    body: { scopes: ['campaigns:read', 'campaigns:write'] },
  });
  credential = { 'x-api-key': generated.data.api_key };
  // @ts-expect-error: there is no such scope
  void (() => api.invoke(operations.generateApiKey, { body: { scopes: ['everything'] } }));

  const created = await api.invoke(operations.createSurvey, { body: survey });
  const post_id: string = created.data.post_id;
  // @ts-expect-error: the field is called post_id
  created.data.postId;
  const untitled = { ...survey, title: undefined };
  // @ts-expect-error: a title is needed
  void (() => api.invoke(operations.createSurvey, { body: untitled }));

  await api.invoke(operations.setSurveyQuestions, { body: { post_id, questions } });
  const essays = [{ type: 'essay' as const, question: '?' }];
  // @ts-expect-error: there is no such type of question
  void (() => api.invoke(operations.setSurveyQuestions, { body: { post_id, questions: essays } }));
  const read = await api.invoke(operations.getQuestions, { post_id });
  const [first] = read.data.questions;
  if (first?.type !== 'single_choice') throw new Error('the first question is a choice');
  const options: string[] = first.options.map((each) =>
  typeof each === 'string' ? each : each.text,
);
  // @ts-expect-error: it is null before the first set
  const question_id: string = read.data.question_id;

  const updated = await api.invoke(operations.updateCohortRewards, {
    body: { post_id, ...rewards },
  });
  const reward: number = updated.data.cohort_rewards.cohort_3_reward;
  const four = { post_id, ...rewards, cohort_5_reward: undefined };
  // @ts-expect-error: all five rewards are needed
  void (() => api.invoke(operations.updateCohortRewards, { body: four }));

  const toggled = await api.invoke(operations.toggleLive, { body: { post_id, is_live: true } });
  const is_live: boolean = toggled.data.is_live;
  const listed = await api.invoke(operations.listCampaigns, { type: 'survey', is_live: true });
  const titles: string[] = listed.data.items.map(({ title }) => title);
  // @ts-expect-error: there is no such type of campaign
  void (() => api.invoke(operations.listCampaigns, { type: 'poll' }));
  console.log(JSON.stringify({ post_id, options, reward, is_live, titles, code }));
}

void journey();
`,
};
