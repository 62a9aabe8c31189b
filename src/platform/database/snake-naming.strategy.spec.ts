import { SnakeNamingStrategy, snakeCase } from './snake-naming.strategy';

it.each([
  ['postId', 'post_id'],
  ['rewardAmount', 'reward_amount'],
  ['QuestionSet', 'question_set'],
  ['currentQuestionSetId', 'current_question_set_id'],
  ['id', 'id'],
  ['is_live', 'is_live'],
])('maps %s to %s', (property, column) => {
  expect(snakeCase(property)).toBe(column);
});

describe('the name of a table or column', () => {
  const naming = new SnakeNamingStrategy();

  it('consists of the words of its class or property', () => {
    expect(naming.tableName('ApiKey')).toBe('api_key');
    expect(naming.columnName('keyHash')).toBe('key_hash');
  });

  it('is the given name if there is one', () => {
    expect(naming.tableName('ApiKey', 'keys')).toBe('keys');
    expect(naming.columnName('keyHash', 'hash')).toBe('hash');
  });
});
