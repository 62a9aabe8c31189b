import { EVERYBODY } from '../../campaigns/targeting/targeting.types';
import { drawBelow, Draws } from '../../platform/statistics/random.rules';
import { toMinor } from './amount.rules';
import { Crowd, sampleCrowd } from './crowd.rules';
import type { ForecastCampaignDto } from './forecast.dto';
import type { Subject } from './subject.types';
import { populationOf } from './population.rules';

/** A rate has four decimal places. */
const PARTS = 10_000;

/** Those who may come, if the campaign does not ask everybody. */
export async function crowdOf(
  { campaign, quotas: rules, screened_out }: Subject,
  {
    attributes,
    qualification_rate = 1,
  }: Pick<ForecastCampaignDto, 'attributes' | 'qualification_rate'>,
  streams: Iterator<Draws, never>,
  turn: () => Promise<void>,
): Promise<Crowd | null> {
  const { targeting, cells } = rules ?? { targeting: EVERYBODY, cells: [] };
  const isAsking = targeting.screening_questions.length > 0;
  if (targeting.screening === null && cells.length === 0 && !isAsking) {
    return null;
  }
  const left = targeting.quotas.map(({ name, limit }) => {
    const submitted = cells.find((cell) => cell.name === name)?.submitted ?? 0;
    return limit - submitted;
  });
  const { screen_out_reward: reward, maximum_screen_outs: maximum } = targeting;
  const screenOuts = {
    reward: reward === null ? 0 : Number(toMinor(reward, campaign)),
    left: (maximum ?? Infinity) - screened_out,
  };
  const draw = populationOf(targeting, attributes);
  const draws = streams.next().value;
  const comer = () => ({
    attributes: draw(draws),
    qualifies: !isAsking || drawBelow(draws, PARTS) < qualification_rate * PARTS,
  });
  return sampleCrowd(targeting, { left, screenOuts }, comer, turn);
}
