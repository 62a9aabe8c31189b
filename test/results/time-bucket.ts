import { bucketOf } from '../../src/platform/statistics/log-histogram.rules';
import { service } from '../support/service';

describe('the function time_bucket', () => {
  it('puts a time into the bucket that the statistics read', async () => {
    const seconds = [
      0,
      0.0005,
      0.001,
      0.0011,
      1,
      ...Array.from({ length: 500 }, (_, n) => (n * n) / 7),
    ];
    const rows = await service.dataSource.query<{ bucket: number }[]>(
      `SELECT time_bucket(n) AS bucket
       FROM unnest($1::double precision[]) WITH ORDINALITY AS s (n, position) ORDER BY position`,
      [seconds],
    );
    expect(rows.map(({ bucket }) => bucket)).toEqual(seconds.map((each) => bucketOf(each) + 0));
  });
});
