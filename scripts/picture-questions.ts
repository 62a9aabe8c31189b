import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Browser, chromium, Page } from 'playwright-core';
import {
  CAMPAIGN,
  cup,
  Pictured,
  PICTURED_QUESTIONS,
  PICTURED_SURVEYS,
} from './pictured-questions';
import { withService } from './throwaway-service';

/*
 * `npm run pictures`: takes the pictures of docs/questionnaires.md from the preview of a service on
 * a throwaway directory, in the browser of the browser tests.
 */

const FOLDER = resolve('docs/questionnaires');

const BROWSERS = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
];

/** CSS pixels: as narrow as a scale of eleven points allows, and so high that nothing scrolls. */
const VIEWPORT = { width: 630, height: 5_000 };

/** CSS pixels around a question; it has more above itself. */
const MARGIN = 12;

type Fields = Record<string, unknown>;

/** Sends a request, and returns its data. */
type Send = (path: string, body: Fields) => Promise<Fields>;

function sender(url: string, headers: Readonly<Record<string, string>>): Send {
  return async (path, body) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const { data, message } = (await response.json()) as { data: Fields | null; message: string };
    if (data === null) {
      throw new Error(`${path} returned ${response.status}: ${message}`);
    }
    return data;
  };
}

/** Registers a company, and returns what sends requests with a key of it. */
async function register(url: string): Promise<Send> {
  const { access_token } = await sender(url, {})('/api/company/create', {
    name: 'Pictured',
    email: 'pictures@example.com',
    password: 'for pictures only',
  });
  const account = sender(url, { authorization: `Bearer ${String(access_token)}` });
  const { api_key } = await account('/svc/api-key/generate', { name: 'pictures', mode: 'test' });
  return sender(url, { 'x-api-key': String(api_key) });
}

async function enter(page: Page, position: number, entered: Pictured['entered']): Promise<void> {
  for (const [end, value] of Object.entries(entered ?? {})) {
    const fields = page.locator(`[name="q${position}${end}"]`);
    const type = await fields.first().getAttribute('type');
    if (type === 'radio' || type === 'checkbox') {
      await page.locator(`[name="q${position}${end}"][value="${value}"]`).check({ force: true });
    } else {
      await fields.fill(value);
    }
  }
}

/** Opens the preview of a campaign, and takes a picture of each question on its first page. */
async function picture(
  browser: Browser,
  url: string,
  questions: Readonly<Record<string, Pictured>>,
): Promise<void> {
  const page = await browser.newPage({
    viewport: VIEWPORT,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  for (const [index, [name, { entered }]] of Object.entries(questions).entries()) {
    await enter(page, index + 1, entered);
    // A field that has the focus is drawn with a frame.
    await page.locator(':focus').evaluateAll((all) => {
      for (const each of all as unknown as { blur: () => void }[]) {
        each.blur();
      }
    });
    await page.mouse.move(0, 0);
    const box = await page.locator(`#q${index + 1}`).boundingBox();
    if (box === null) {
      throw new Error(`the preview does not show ${name}`);
    }
    const { x, y, width, height } = box;
    const clip = {
      x: x - MARGIN,
      y: y + MARGIN / 2,
      width: width + 2 * MARGIN,
      height: height + MARGIN / 2,
    };
    await page.screenshot({ path: `${FOLDER}/${name}.png`, clip });
  }
  await page.close();
}

/** Serves pictures of cups while something is done with their addresses. */
async function withCups(work: (urls: readonly string[]) => Promise<void>): Promise<void> {
  const server = createServer(({ url = '/' }, response) => {
    response.setHeader('content-type', 'image/svg+xml');
    response.end(cup(url.slice(1)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await work(['teal', 'peru'].map((colour) => `http://127.0.0.1:${port}/${colour}`));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function takePictures(url: string, browser: Browser): Promise<void> {
  const send = await register(url);
  const preview = async (post_id: unknown) =>
    String((await send('/svc/campaign/preview-link', { post_id })).url);
  const { post_id } = await send('/svc/survey/create', CAMPAIGN);
  const questions = Object.values(PICTURED_QUESTIONS).map(({ fields }) => fields);
  await send('/svc/survey/questions', { post_id, questions });
  await picture(browser, await preview(post_id), PICTURED_QUESTIONS);
  await withCups(async (cups) => {
    const images = cups.map((cupUrl, index) => ({ url: cupUrl, label: `Cup ${index + 1}` }));
    for (const [name, { path, ...pictured }] of Object.entries(PICTURED_SURVEYS)) {
      const created = await send(`/svc/image-survey/${path}`, {
        ...CAMPAIGN,
        ...pictured.fields,
        images,
      });
      await picture(browser, await preview(created.post_id), { [name]: pictured });
    }
  });
}

async function main(): Promise<void> {
  const executablePath = BROWSERS.find((path) => path !== undefined && existsSync(path));
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  try {
    await withService((url) => takePictures(url, browser));
  } finally {
    await browser.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
  process.exitCode = 1;
});
