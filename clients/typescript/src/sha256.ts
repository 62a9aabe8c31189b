/*
 * The constants of FIPS 180-4: the first 32 bits of the fractional parts of roots of primes. Words
 * are signed, because engines calculate with larger ones as floating-point numbers.
 */
const ROUNDS = Int32Array.of(
  0x428a2f98,
  0x71374491,
  0xb5c0fbcf,
  0xe9b5dba5,
  0x3956c25b,
  0x59f111f1,
  0x923f82a4,
  0xab1c5ed5,
  0xd807aa98,
  0x12835b01,
  0x243185be,
  0x550c7dc3,
  0x72be5d74,
  0x80deb1fe,
  0x9bdc06a7,
  0xc19bf174,
  0xe49b69c1,
  0xefbe4786,
  0x0fc19dc6,
  0x240ca1cc,
  0x2de92c6f,
  0x4a7484aa,
  0x5cb0a9dc,
  0x76f988da,
  0x983e5152,
  0xa831c66d,
  0xb00327c8,
  0xbf597fc7,
  0xc6e00bf3,
  0xd5a79147,
  0x06ca6351,
  0x14292967,
  0x27b70a85,
  0x2e1b2138,
  0x4d2c6dfc,
  0x53380d13,
  0x650a7354,
  0x766a0abb,
  0x81c2c92e,
  0x92722c85,
  0xa2bfe8a1,
  0xa81a664b,
  0xc24b8b70,
  0xc76c51a3,
  0xd192e819,
  0xd6990624,
  0xf40e3585,
  0x106aa070,
  0x19a4c116,
  0x1e376c08,
  0x2748774c,
  0x34b0bcb5,
  0x391c0cb3,
  0x4ed8aa4a,
  0x5b9cca4f,
  0x682e6ff3,
  0x748f82ee,
  0x78a5636f,
  0x84c87814,
  0x8cc70208,
  0x90befffa,
  0xa4506ceb,
  0xbef9a3f7,
  0xc67178f2,
);

const BLOCK = 64;

/**
 * SHA-256 of bytes that arrive one after the other. WebCrypto hashes only what is complete, and
 * browsers provide it on HTTPS pages only.
 */
export class Sha256 {
  readonly #state = Int32Array.of(
    0x6a09e667,
    0xbb67ae85,
    0x3c6ef372,
    0xa54ff53a,
    0x510e527f,
    0x9b05688c,
    0x1f83d9ab,
    0x5be0cd19,
  );
  readonly #schedule = new Int32Array(BLOCK);
  readonly #block = new Uint8Array(BLOCK);
  #used = 0;
  #length = 0;

  update(bytes: Uint8Array): this {
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const taken = Math.min(BLOCK - this.#used, bytes.length - at);
      this.#block.set(bytes.subarray(at, at + taken), this.#used);
      this.#used += taken;
      at += taken;
      if (this.#used === BLOCK) {
        this.#compress();
        this.#used = 0;
      }
    }
    return this;
  }

  /** Returns the hash in hexadecimal. It can be called once. */
  digest(): string {
    const bits = this.#length * 8;
    const padding = new Uint8Array(this.#used < 56 ? 64 - this.#used : 128 - this.#used);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(padding.length - 4, bits % 2 ** 32);
    this.update(padding);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }

  #compress(): void {
    const words = this.#schedule;
    const view = new DataView(this.#block.buffer);
    for (let index = 0; index < 16; index += 1) {
      words[index] = view.getInt32(4 * index);
    }
    for (let index = 16; index < BLOCK; index += 1) {
      const one = words[index - 15] ?? 0;
      const two = words[index - 2] ?? 0;
      const first = rotate(one, 7) ^ rotate(one, 18) ^ (one >>> 3);
      const second = rotate(two, 17) ^ rotate(two, 19) ^ (two >>> 10);
      words[index] = ((words[index - 16] ?? 0) + first + (words[index - 7] ?? 0) + second) | 0;
    }
    const state = this.#state;
    // Taking the array apart at once would take longer than the rounds.
    let a = state[0] ?? 0;
    let b = state[1] ?? 0;
    let c = state[2] ?? 0;
    let d = state[3] ?? 0;
    let e = state[4] ?? 0;
    let f = state[5] ?? 0;
    let g = state[6] ?? 0;
    let h = state[7] ?? 0;
    for (let index = 0; index < BLOCK; index += 1) {
      const choice = (e & f) ^ (~e & g);
      const sigma = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const added = (h + sigma + choice + (ROUNDS[index] ?? 0) + (words[index] ?? 0)) | 0;
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const other = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
      h = g;
      g = f;
      f = e;
      e = (d + added) | 0;
      d = c;
      c = b;
      b = a;
      a = (added + other) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((value, index) => {
      this.#state[index] = (this.#state[index] ?? 0) + value;
    });
  }
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
