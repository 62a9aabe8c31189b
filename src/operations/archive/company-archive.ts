import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm, rmdir, truncate } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  checkPart,
  MANIFEST,
  MISSING_FOLDER,
  readManifestOf,
  UNFINISHED,
  unknownFiles,
} from './archive-files';
import type { CompanyList } from './company-list';
import { Entry, lineOf, Manifest, Part, PartKind } from './manifest.rules';
import { flush, readRows, writeRows } from './part-file';

/** What a part is called and what its rows are, as its pages are read. */
export interface PartSource {
  pages: AsyncIterable<readonly object[]>;
  /** Describes the part once its pages were read. */
  describe(): Omit<Part, 'rows' | 'sha256' | 'before'>;
}

/** The folder with the archive of one company. */
export class CompanyArchive {
  private constructor(
    private readonly folder: string,
    private readonly companies: CompanyList,
    private manifest: Manifest,
  ) {}

  /**
   * Opens the folder, and finishes what an interrupted run has left: a part that is in the manifest
   * gets its name, and one that is not is removed. Nothing else is ever removed, because the rows
   * of a file can be nowhere else.
   *
   * @throws Error if the manifest is damaged, a file is not in it, or the folder is gone
   */
  static async open(folder: string, companies: CompanyList): Promise<CompanyArchive> {
    const manifest = await readManifestOf(folder);
    if (!existsSync(folder)) {
      if (companies.has(basename(folder))) {
        throw new Error(MISSING_FOLDER);
      }
      return new CompanyArchive(folder, companies, manifest);
    }
    const [unknown] = await unknownFiles(folder, manifest);
    if (unknown !== undefined) {
      throw new Error(unknown);
    }
    const archive = new CompanyArchive(folder, companies, manifest);
    const last = manifest.entries.at(-1);
    if (last === undefined) {
      // One without a whole line would keep the folder from being removed while it has no part.
      await rm(join(folder, MANIFEST), { force: true });
    } else {
      await truncate(join(folder, MANIFEST), manifest.bytes);
    }
    if (last === undefined || existsSync(join(folder, last.file))) {
      await rm(join(folder, UNFINISHED), { force: true });
    } else {
      await archive.finish(last);
    }
    return archive;
  }

  lastOf(kind: PartKind): Entry | undefined {
    return this.manifest.entries.findLast((part) => part.kind === kind);
  }

  get nextPart(): number {
    return this.manifest.entries.length + 1;
  }

  /**
   * Writes a part, reads it back, and adds it to the manifest. When this returns, all of it is on
   * disk.
   *
   * @returns the part, or `undefined` if it has no row
   * @throws Error if the file does not have what was written
   */
  async add(source: PartSource, before: Date): Promise<Part | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const unfinished = join(this.folder, UNFINISHED);
    const written = await writeRows(unfinished, source.pages);
    if (written.rows === 0) {
      await rm(unfinished);
      const hasParts = this.manifest.entries.length > 0;
      if (!hasParts && !this.companies.has(basename(this.folder))) {
        await rmdir(this.folder);
      }
      return undefined;
    }
    const part: Part = { ...source.describe(), ...written, before: before.toISOString() };
    await this.check({ ...part, file: UNFINISHED });
    await this.append(part);
    await this.finish(part);
    return part;
  }

  /** Gives a part that is in the manifest its name. */
  private async finish({ file }: Part): Promise<void> {
    await rename(join(this.folder, UNFINISHED), join(this.folder, file));
    await flush(this.folder);
  }

  /** The rows of a part, so many at a time. */
  rowsOf<Row>({ file }: Part, batch: number): AsyncGenerator<Row[]> {
    return readRows<Row>(join(this.folder, file), batch);
  }

  /** @throws Error if the file of a part does not have what the manifest says */
  async check(part: Part): Promise<void> {
    await checkPart(this.folder, part);
  }

  private async append(part: Part): Promise<void> {
    const path = join(this.folder, MANIFEST);
    const line = lineOf(this.manifest, part);
    await this.companies.add(basename(this.folder));
    const file = await open(path, 'a', 0o600);
    try {
      await file.appendFile(line);
      await file.sync();
    } finally {
      await file.close();
    }
    await flush(this.folder);
    await flush(dirname(this.folder));
    const bytes = this.manifest.bytes + Buffer.byteLength(line);
    this.manifest = await readManifestOf(this.folder);
    if (this.manifest.bytes !== bytes) {
      throw new Error('the manifest does not have what was written to it');
    }
  }
}
