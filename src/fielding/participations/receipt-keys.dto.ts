import { ResponseEnum, ResponseList, ResponseToken } from '../../platform/openapi/response-fields';

/** A public key, as RFC 7517 describes it. */
export class ReceiptKeyDto {
  @ResponseEnum(['OKP'], 'ReceiptKeyType')
  kty!: string;

  @ResponseEnum(['Ed25519'], 'ReceiptKeyCurve')
  crv!: string;

  /** The key itself, in base64url. */
  @ResponseToken('^[\\w-]{43}$', 43)
  x!: string;

  /** The name of the key in the header of a receipt. */
  @ResponseToken('^[\\w-]{8}$', 8)
  kid!: string;

  @ResponseEnum(['EdDSA'], 'ReceiptKeyAlgorithm')
  alg!: string;

  @ResponseEnum(['sig'], 'ReceiptKeyUse')
  use!: string;
}

export class ReceiptKeysDto {
  @ResponseList(() => ReceiptKeyDto, { minimum: 1, maximum: 10 })
  keys!: ReceiptKeyDto[];
}
