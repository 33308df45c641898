package main

func (m *Memory) Close() {}
