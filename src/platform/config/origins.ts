import { ValidateBy } from 'class-validator';
import { parseUrl } from './parse-url';

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && parseUrl(text)?.origin === text;
}

/** The origins of a comma-separated list. */
export function readOrigins(list: string | undefined): string[] {
  return list === undefined ? [] : list.split(',').map((each) => each.trim());
}

function isOriginList(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    (value === '*' || readOrigins(value).every((origin) => isOrigin(origin)))
  );
}

export const IsOriginList = () =>
  ValidateBy(
    { name: 'isOriginList', validator: { validate: isOriginList } },
    {
      message: 'must be a comma-separated list of origins such as https://app.example.com, or *',
    },
  );
