import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';

/** A response as the page shows it. */
export interface ShownAnswer {
  status: number;
  body: { success: boolean; message: string; data: any; error?: { code: string } };
}

/** A response as text, or the text of the file that it is offered as. */
interface ShownText {
  status: number;
  text: string;
}

/** Drives the documentation page with clicks and typing. */
export class DocsPage {
  constructor(private readonly page: Page) {}

  /** Opens the page and waits until its operations are shown. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.page.locator('.opblock').first().waitFor();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator('.opblock').first().waitFor();
  }

  /** The operation with this id. */
  operation(id: string): Locator {
    return this.page.locator(`.opblock[id$="-${id}"]`);
  }

  /** Opens the dialog for credentials. */
  async openCredentials(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Authorize' }).click();
    return this.page.locator('.modal-ux');
  }

  /** Enters a credential in place of an earlier one. */
  async authorise(
    scheme: 'account_token' | 'api_key' | 'platform_key',
    credential: string,
  ): Promise<void> {
    const dialogue = await this.openCredentials();
    const form = dialogue.locator('.auth-container').filter({ hasText: scheme });
    const earlier = form.getByRole('button', { name: 'Remove authorization' });
    if (await earlier.isVisible()) {
      await earlier.click();
    }
    await form.getByRole('textbox').fill(credential);
    await form.getByRole('button', { name: 'Authorize' }).click();
    await earlier.waitFor();
    await form.getByRole('button', { name: 'Close' }).click();
    await dialogue.waitFor({ state: 'detached' });
  }

  /** Expands an operation. */
  async unfold(id: string): Promise<Locator> {
    const operation = this.operation(id);
    await operation.locator('.opblock-summary-control').click();
    await this.executeButton(operation).waitFor();
    return operation;
  }

  /** Returns the names of an operation's examples, or one empty name if there is no choice. */
  async examplesOf(operation: Locator): Promise<(string | undefined)[]> {
    const names = await this.choiceOfExample(operation).locator('option').allInnerTexts();
    return names.length === 0 ? [undefined] : names;
  }

  /**
   * Sends an expanded operation unchanged, or with another of its examples, and returns the
   * response.
   */
  async execute(operation: Locator, example?: string): Promise<ShownAnswer> {
    if (example !== undefined) {
      await this.choiceOfExample(operation).selectOption(example);
    }
    const { status, text } = await this.respond(operation, (answer) =>
      answer.locator('.highlight-code pre').first().innerText(),
    );
    return { status, body: JSON.parse(text) as ShownAnswer['body'] };
  }

  /** Sends an expanded operation unchanged and saves the file that it responds with. */
  download(operation: Locator): Promise<ShownText> {
    return this.respond(operation, async (answer) => {
      const saved = this.page.waitForEvent('download');
      await answer.locator('a[download]').click();
      return readFile(await (await saved).path(), 'utf8');
    });
  }

  /** Expands an operation, sends it, with a body if given, and collapses it again. */
  async send(id: string, body?: object): Promise<ShownAnswer> {
    const operation = await this.unfold(id);
    if (body !== undefined) {
      await operation.locator('.body-param__text').fill(JSON.stringify(body));
    }
    const answer = await this.execute(operation);
    await this.fold(operation);
    return answer;
  }

  async fold(operation: Locator): Promise<void> {
    await operation.locator('.opblock-summary-control').click();
    await this.executeButton(operation).waitFor({ state: 'detached' });
  }

  /** Sends an expanded operation and reads the response. */
  private async respond(
    operation: Locator,
    read: (answer: Locator) => Promise<string>,
  ): Promise<ShownText> {
    const answer = operation.locator('.live-responses-table .response');
    const clear = operation.getByRole('button', { name: 'Clear' });
    // Otherwise an earlier response could not be distinguished from the next one.
    if (await clear.isVisible()) {
      await clear.click();
      await answer.waitFor({ state: 'detached' });
    }
    await this.executeButton(operation).click();
    const status = await answer.locator('.response-col_status').innerText();
    return { status: parseInt(status), text: await read(answer) };
  }

  private executeButton(operation: Locator): Locator {
    return operation.getByRole('button', { name: 'Execute' });
  }

  private choiceOfExample(operation: Locator): Locator {
    return operation.locator('.opblock-section-request-body .examples-select-element');
  }
}
