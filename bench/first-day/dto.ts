import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

const MOST = 1_000_000_000;

export class CreateSurveyDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  title!: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(5000)
  description!: string;

  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true })
  @MaxLength(2048)
  content_url?: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  category!: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  tagline!: string;

  @IsInt()
  @Min(1)
  @Max(MOST)
  reward_amount!: number;
}

export class UpdateCampaignDto {
  @IsString()
  @IsNotEmpty()
  post_id!: string;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  title?: string;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(5000)
  description?: string;

  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true })
  @MaxLength(2048)
  content_url?: string;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  category?: string;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  tagline?: string;

  @IsOptional()
  @IsNumber({ maxDecimalPlaces: 2 })
  @Min(0.01)
  @Max(MOST)
  reward_amount?: number;
}

export class ToggleLiveDto {
  @IsString()
  @IsNotEmpty()
  post_id!: string;

  @IsBoolean()
  is_live!: boolean;
}

export class CohortRewardsDto {
  @IsString()
  @IsNotEmpty()
  post_id!: string;

  @IsNumber({ maxDecimalPlaces: 2 })
  @Min(3)
  @Max(MOST)
  cohort_1_reward!: number;

  @IsNumber({ maxDecimalPlaces: 2 })
  @Min(0)
  @Max(MOST)
  cohort_2_reward!: number;

  @IsNumber({ maxDecimalPlaces: 2 })
  @Min(0)
  @Max(MOST)
  cohort_3_reward!: number;

  @IsNumber({ maxDecimalPlaces: 2 })
  @Min(0)
  @Max(MOST)
  cohort_4_reward!: number;

  @IsNumber({ maxDecimalPlaces: 2 })
  @Min(0)
  @Max(MOST)
  cohort_5_reward!: number;
}

export class QuestionDto {
  @IsIn(['descriptive', 'text', 'single_choice', 'multiple_choice'])
  type!: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(1000)
  question!: string;

  @ValidateIf(({ type }: QuestionDto) => type === 'single_choice' || type === 'multiple_choice')
  @IsArray()
  @ArrayMinSize(2)
  @ArrayMaxSize(250)
  @ArrayUnique()
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  @MaxLength(200, { each: true })
  options?: string[];
}

export class SetQuestionsDto {
  @IsString()
  @IsNotEmpty()
  post_id!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => QuestionDto)
  questions!: QuestionDto[];
}

export class ListDto {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit = 20;
}
