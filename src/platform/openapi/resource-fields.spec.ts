import { refuse } from '../../../test/support/validate';
import { Money } from '../validation/fields/number.fields';
import { Text } from '../validation/fields/text.fields';
import { ChangeOf, CreationOf, requiredFields, ResourceField } from './resource-fields';

class ThingFieldsDto {
  @ResourceField(Text, { maximum: 5 })
  name!: string;

  @ResourceField(Text, { maximum: 5, nullable: true })
  note!: string | null;
}

class PaidThingFieldsDto extends ThingFieldsDto {
  @ResourceField(Text, { maximum: 5, optional: true })
  label!: string | null;

  @ResourceField(Money, { minimum: 0.5, create: { whole: true, minimum: 1 } })
  price!: number;
}

class CreateThingDto extends CreationOf(PaidThingFieldsDto) {}
class UpdateThingDto extends ChangeOf(PaidThingFieldsDto, 'update') {}

const WRONG = { name: null, note: null, label: null, price: 0.75 };

describe('the requests of a resource', () => {
  it('are a creation, which requires what nothing else says may be absent', async () => {
    expect(await refuse(CreateThingDto, {})).toEqual(['name required', 'price required']);
    expect(requiredFields(PaidThingFieldsDto)).toEqual(['name', 'price']);
  });

  it('are a creation, which has no null and rules of its own', async () => {
    expect(await refuse(CreateThingDto, WRONG)).toEqual([
      'name null_not_allowed',
      'note null_not_allowed',
      'label null_not_allowed',
      'price not_an_integer',
    ]);
  });

  it('are a change, which requires nothing and removes what is nullable', async () => {
    expect(await refuse(UpdateThingDto, WRONG)).toEqual([
      'name null_not_allowed',
      'label null_not_allowed',
    ]);
  });

  it('leave a class alone whose subclass has further fields', async () => {
    class CreateNameDto extends CreationOf(ThingFieldsDto) {}
    expect(await refuse(CreateNameDto, { name: 'a', price: 1 })).toEqual(['price unknown_field']);
  });
});
