@extends('layout')
<a href="{{ route('users.show', $user) }}" class="link {{ $active ? 'on' : '' }}">{{ $user->name }}</a>
@if ($errors->any())
<input type="text" name="mail" value="{{ old('mail') }}" @disabled($locked)>
@endif
