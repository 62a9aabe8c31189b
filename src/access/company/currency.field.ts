import type { ErrorDetail } from '../../platform/protocol/api-error';
import { ResponseToken } from '../../platform/openapi/response-fields';
import { Field, problem } from '../../platform/validation/fields/field';
import { InvalidRequest } from '../../platform/validation/validation.pipe';

/*
 * The currency of a company: of every amount in its campaigns, responses and ledger. It is set at
 * the registration and never changes, so all amounts of a company are in one currency.
 */

/** The currency of a company that names none. */
export const CURRENCY_DEFAULT = 'USD';

const PATTERN = '^[A-Z]{3}$';

/**
 * The active codes of ISO 4217, without those of funds, metals, tests and accounting units, in
 * which nobody is paid. `Intl` has a list too, but a different one in each version of Node.js.
 */
const CODES: ReadonlySet<string> = new Set(
  `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD
  CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD
  GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD
  KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO
  NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE
  SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND
  VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`.split(/\s+/),
);

/**
 * Those of them without a minor unit in ISO 4217. `Intl` cannot say: its data is about what is in
 * use, so that it gives the forint none either.
 */
const WITHOUT_MINOR_UNIT: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);

/**
 * How many decimal places amounts in a currency have: as many as its minor unit, and at most two.
 * The function `currency_places` of the database says the same.
 */
export function placesOf(currency: string): 0 | 2 {
  return WITHOUT_MINOR_UNIT.has(currency) ? 0 : 2;
}

/**
 * Refuses amounts with more decimal places than their currency has.
 *
 * @param amounts by their fields in the request
 * @throws InvalidRequest with each of these fields
 */
export function requireMinorUnit(
  currency: string,
  amounts: Readonly<Record<string, number | null | undefined>>,
): void {
  if (placesOf(currency) > 0) {
    return;
  }
  const wrong = Object.entries(amounts)
    .filter(([, amount]) => amount != null && !Number.isInteger(amount))
    .map(([field]): ErrorDetail => {
      const message = `${field} must be a whole number, because ${currency} has no decimals.`;
      return { field, code: 'too_precise', message };
    });
  if (wrong.length > 0) {
    throw new InvalidRequest(wrong);
  }
}

/** The most currencies that there are. */
export const CURRENCIES_MAXIMUM = 200;

/** A currency in a request: three capital letters. */
export function Currency(): PropertyDecorator {
  return Field(
    (value) =>
      CODES.has(value as string)
        ? []
        : problem('not_allowed', 'must be an active ISO 4217 code, such as EUR'),
    { type: 'string', minLength: 3, maxLength: 3, pattern: PATTERN },
    { optional: true },
  );
}

/** The currency of the amounts beside it. */
export function ResponseCurrency(): PropertyDecorator {
  return ResponseToken(PATTERN, 3);
}
