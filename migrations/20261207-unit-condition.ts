import { Migration } from '@mikro-orm/migrations'

/**
 * What is known last of each value of a unit's condition stands beside the unit, with its legal status and the values at
 * each change of it (Regulation (EU) 2023/1542, Annex XIII, point 4). None of it moves the unit's version.
 */
export default class UnitCondition extends Migration {
  override name = 'unit-condition'

  override up(): void {
    this.addSql(`
      alter table battery_unit
        add column condition json not null default '{}',
        add column legal_status text not null default 'original'
          check (legal_status in ('original', 'repurposed', 're-used', 'remanufactured', 'waste')),
        add column status_changes json not null default '[]'`)
    this.addSql(`
      update battery_unit set
        condition = (
          select coalesce(json_object_agg(key, json_build_object('value', value,
            'recordedAt', to_char(measured_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '{}')
          from (values ('fullCycles', to_json(cycle_count)), ('remainingCapacityAh', to_json(remaining_capacity_ah)),
            ('temperatureC', to_json(temperature_c))) as measured (key, value)
          where value is not null),
        legal_status = case status when 'REPURPOSED' then 'repurposed' when 'REUSED' then 're-used'
          when 'REMANUFACTURED' then 'remanufactured' when 'WASTE' then 'waste' when 'RECYCLED' then 'waste'
          else 'original' end`)
    this.addSql(`grant update (condition, legal_status, status_changes) on battery_unit to dpp_app`)
  }
}
